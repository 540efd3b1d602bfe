# fidelity: tolerance
# tfrewrite: off=compiled_loop,while_loop
# peak at most: 0.1
import tensorflow as tf


def summed(x):
    terms = []
    for i in range(256):
        terms.append(tf.sin(x + float(i)))
    total = tf.add_n(terms)  # of all turns
    return total / 2.0


def averaged(x, turns=40):
    waves = []
    for i in range(turns):
        wave = tf.sin(x + float(i))
        # one turn, one wave
        waves.append(wave)
    return tf.reduce_mean(tf.stack(waves), axis=0) - tf.add_n(waves) / len(waves)


x = tf.reshape(tf.range(65536.0), [256, 256]) / 65536.0
results = [summed(x), averaged(x)]

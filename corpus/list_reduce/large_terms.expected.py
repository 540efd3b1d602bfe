# fidelity: tolerance
# tfrewrite: off=compiled_loop,while_loop
# peak at most: 0.1
import tensorflow as tf


def summed(x):
    total = 0.0
    for i in range(256):
        total += tf.sin(x + float(i))
    # of all turns
    return total / 2.0


def averaged(x, turns=40):
    total = 0.0
    for i in range(turns):
        wave = tf.sin(x + float(i))
        # one turn, one wave
        total += wave
    return total / turns - total / turns


x = tf.reshape(tf.range(65536.0), [256, 256]) / 65536.0
results = [summed(x), averaged(x)]

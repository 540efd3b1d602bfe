# fidelity: tolerance
# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def statistics(x, steps):
    waves = []
    for i in range(steps):
        if i % 2:
            continue
        wave = tf.sin(x + float(i))
        waves.append(wave)
    mean = tf.reduce_mean(tf.stack(waves), axis=0)
    total = tf.reduce_sum(waves, 0)
    return mean, total, len(waves)


def everything(x, steps):
    waves = list()
    for i in range(steps):
        waves.append(tf.cos(x * float(i)))
    return tf.reduce_sum(waves), tf.reduce_mean(waves)


x = tf.reshape(tf.range(10000.0), [100, 100]) / 10000.0
results = [(statistics(x, steps), everything(x, steps)) for steps in (0, 1, 5, 12)]

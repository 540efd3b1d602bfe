# fidelity: tolerance
# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def statistics(x, steps):
    total_of_waves = tf.constant(0.0)
    count = 0
    for i in range(steps):
        if i % 2:
            continue
        wave = tf.sin(x + float(i))
        total_of_waves += wave
        count += 1
    mean = total_of_waves / count
    total = total_of_waves
    return mean, total, count


def everything(x, steps):
    waves = list()
    for i in range(steps):
        waves.append(tf.cos(x * float(i)))
    return tf.reduce_sum(waves), tf.reduce_mean(waves)


x = tf.reshape(tf.range(10000.0), [100, 100]) / 10000.0
results = [(statistics(x, steps), everything(x, steps)) for steps in (0, 1, 5, 12)]

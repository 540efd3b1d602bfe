# tfrewrite: off=compiled_loop,while_loop
# unsafe
import tensorflow as tf


def extremes(x, steps):
    waves = []
    for i in range(steps):
        wave = tf.sin(x * float(i))
        waves.append(wave)
    largest = tf.reduce_max(tf.stack(waves), axis=0)
    return largest, tf.reduce_min(waves)


def smallest_of(x, steps):
    waves = []
    for i in range(steps):
        waves.append(tf.sin(x + float(i)))
    smallest = tf.reduce_min(tf.stack(waves, axis=0), 0)
    return smallest


def of_doubles(x, steps):
    found = []
    for i in range(steps):
        found.append(tf.cast(x, tf.float64) * float(i))
    return tf.reduce_max(found, axis=0)


x = tf.reshape(tf.range(10000.0), [100, 100]) / 10000.0
results = [(extremes(x, steps), smallest_of(x, steps), of_doubles(x, steps)) for steps in (0, 1, 5, 12)]

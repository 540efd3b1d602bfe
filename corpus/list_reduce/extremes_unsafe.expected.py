# tfrewrite: off=compiled_loop,while_loop
# unsafe
import tensorflow as tf


def extremes(x, steps):
    largest = tf.constant(float("-inf"))
    smallest = tf.constant(float("inf"))
    for i in range(steps):
        wave = tf.sin(x * float(i))
        largest = tf.maximum(largest, wave)
        smallest = tf.minimum(smallest, tf.reduce_min(wave))
    return largest, smallest


def smallest_of(x, steps):
    smallest = tf.constant(float("inf"))
    for i in range(steps):
        smallest = tf.minimum(smallest, tf.sin(x + float(i)))
    return smallest


def of_doubles(x, steps):
    found = []
    for i in range(steps):
        found.append(tf.cast(x, tf.float64) * float(i))
        found = [tf.reduce_max(found, axis=0)]
    return tf.reduce_max(found, axis=0)


x = tf.reshape(tf.range(10000.0), [100, 100]) / 10000.0
results = [(extremes(x, steps), smallest_of(x, steps), of_doubles(x, steps)) for steps in (0, 1, 5, 12)]

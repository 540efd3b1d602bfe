# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def mean_of_doubles(x, steps):
    waves = []  # refused: list_reduce: waves may be empty
    for i in range(steps):
        waves.append(tf.sin(x + float(i)))
    return tf.reduce_mean(waves, axis=0)


def left_at_once(x, limit):
    total = tf.add_n([tf.sin(x + float(i)) for i in range(9) if i < limit])  # refused: list_reduce: the elements are not known to be some
    return total


def one_line(x, steps):
    waves = []
    for i in range(steps): waves.append(tf.sin(x + float(i)))  # refused: list_reduce: shares its line
    return tf.add_n(waves)


x = tf.ones([100, 100], tf.float64)
results = [mean_of_doubles(x, 0), mean_of_doubles(x, 9), left_at_once(x, 5), one_line(x, 7), one_line(x, 3)]

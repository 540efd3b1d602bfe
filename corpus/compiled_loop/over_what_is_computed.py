# for: both
import tensorflow as tf


def over_columns(x, rows):
    for row in rows[:, 0]:  # rows[:, 0] is computed once
        x = tf.tanh(x) + row
    return x


result = over_columns(tf.ones([2]), tf.ones([60, 2]))

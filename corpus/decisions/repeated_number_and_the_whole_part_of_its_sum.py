# for: both
import tensorflow as tf


def total(price):
    return tf.reduce_sum(tf.repeat(price, 10000))  # refused: repeat_reduce: `int(total(tf.constant(price)))` depends on a value that is rounded differently


wholes = [int(total(tf.constant(price))) for price in (0.1, 0.2, 0.3, 0.7, 1.1)]
print("done")

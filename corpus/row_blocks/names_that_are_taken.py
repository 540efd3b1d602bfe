# fidelity: tolerance
import tensorflow as tf

rows = 12


def of_rows(x):
    return x


def spread(x, start):
    # all pairs
    block = x[:, None] - x[None]
    block = tf.abs(block)  # how far apart

    # of each the mean
    return tf.reduce_mean(block, [1, 2]) + start


result = spread(of_rows(tf.random.normal([700, rows])), 1.0)

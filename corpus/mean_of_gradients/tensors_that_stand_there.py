# fidelity: tolerance
# tfrewrite: off=row_blocks
# peak at most: 0.8
import tensorflow as tf


def mean_of(x):
    return 2.0 - tf.reduce_mean(
        tf.stack([x + 1.0, tf.sqrt(x), x]),
        axis=0,
    )


def joined(x, y):
    both = tf.concat([tf.expand_dims(x, 0), tf.expand_dims(y, axis=0)], axis=0)
    return 1.0 / tf.reduce_mean(both, 0)


x = tf.fill([1000, 800], 3.0)
results = mean_of(x), joined(x, x + 1.0)

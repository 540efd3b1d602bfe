# peak at most: 0.3
"""No tensor is so large that its memory is mapped anew: a block has to be worth what Python needs to start its operations."""
import tensorflow as tf


def distances(x, y):
    return tf.concat(
        [
            tf.reduce_sum(tf.square(x[start : start + 8, None, :] - y[None, :, :]), axis=-1)
            for start in range(0, x.shape[0], 8)
        ],
        axis=0,
    )


x, y = tf.random.normal([65, 1000], seed=1), tf.random.normal([129, 1000], seed=2)
result = distances(x, y)

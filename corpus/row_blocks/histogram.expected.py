# peak at most: 0.6
import tensorflow as tf


def histogram(values, edges):
    def of_rows(edges_block_1, edges_block_2):
        above = tf.greater_equal(values[:, None], edges_block_1)
        below = tf.less(values[:, None], edges_block_2)
        inside = tf.logical_and(above, below)
        return tf.reduce_sum(tf.cast(inside, tf.int32), axis=0)

    return tf.concat(
        [
            of_rows(edges[None, :-1][:, start : start + 32], edges[None, 1:][:, start : start + 32])
            for start in range(0, edges[None, :-1].shape[1], 32)
        ],
        axis=0,
    )


counts = histogram(tf.random.uniform([60000], seed=1), tf.linspace(0.0, 1.0, 101))

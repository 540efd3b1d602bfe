"""The ranks are divided in place of the matrix, which is read transposed, in a loop of the graph."""

import tensorflow as tf


@tf.function
def page_rank(links, damping=0.85, steps=60):
    pages = links.shape[0]
    shares = tf.math.divide_no_nan(1.0, tf.reduce_sum(links, axis=1, keepdims=True))

    def step(i, ranks):
        return i + 1, damping * tf.matmul(links, ranks * shares, transpose_a=True) + (1.0 - damping) / pages

    ranks = tf.while_loop(lambda i, _: i < steps, step, (0, tf.fill([pages, 1], 1.0 / pages)), parallel_iterations=1)[1]
    return tf.squeeze(ranks, axis=1)


links = tf.cast(tf.random.uniform([800, 800], seed=1) < 0.02, tf.float32)

ranks = page_rank(links)

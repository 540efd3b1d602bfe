# for: both
# fidelity: tolerance
"""PageRank of 800 pages: follow a link, or jump anywhere."""

import tensorflow as tf


def page_rank(links, damping=0.85, steps=60):
    pages = links.shape[0]
    outgoing = tf.reduce_sum(links, axis=1)
    # The share of its rank that every page hands to each of the others.
    shares = tf.matmul(tf.linalg.diag(tf.math.divide_no_nan(1.0, outgoing)), links)
    ranks = tf.fill([pages, 1], 1.0 / pages)
    for _ in range(steps):
        ranks = damping * tf.matmul(tf.transpose(shares), ranks) + (1.0 - damping) / pages
    return tf.squeeze(ranks, axis=1)


links = tf.cast(tf.random.uniform([800, 800], seed=1) < 0.02, tf.float32)

ranks = page_rank(links)

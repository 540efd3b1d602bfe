# for: both
# fidelity: tolerance
"""PageRank of 800 pages: follow a link, or jump anywhere."""

import tensorflow as tf


@tf.function(jit_compile=True)
def _page_rank_loop(steps, damping, shares, pages, ranks):
    def step(i, ranks):
        ranks = damping * tf.matmul(shares, ranks, transpose_a=True) + (1.0 - damping) / pages
        return i + 1, ranks

    _, ranks = tf.while_loop(
        lambda i, ranks: i < steps,
        step,
        (0, ranks),
        shape_invariants=(tf.TensorShape([]), ranks.shape),
        maximum_iterations=steps,
    )
    return ranks


def page_rank(links, damping=0.85, steps=60):
    pages = links.shape[0]
    outgoing = tf.reduce_sum(links, axis=1)
    # The share of its rank that every page hands to each of the others.
    shares = tf.expand_dims(tf.math.divide_no_nan(1.0, outgoing), -1) * links
    ranks = tf.fill([pages, 1], 1.0 / pages)
    ranks = _page_rank_loop(tf.constant(steps), damping, shares, pages, ranks)
    return tf.squeeze(ranks, axis=1)


links = tf.cast(tf.random.uniform([800, 800], seed=1) < 0.02, tf.float32)

ranks = page_rank(links)

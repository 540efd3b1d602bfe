# for: both
# fidelity: tolerance
"""The optimal transport plan between two clouds of points, by Sinkhorn's iteration on logarithms."""

import tensorflow as tf


def cost_matrix(x, y):
    return tf.reduce_sum(tf.square(x[:, None] - y[None, :]), axis=-1)


def sinkhorn(x, y, epsilon=0.1, steps=50):
    cost = cost_matrix(x, y)
    f = tf.zeros([x.shape[0]])
    g = tf.zeros([y.shape[0]])
    log_a = -tf.math.log(float(x.shape[0]))
    log_b = -tf.math.log(float(y.shape[0]))
    for _ in range(steps):
        f = epsilon * (log_a - tf.reduce_logsumexp((g[None, :] - cost) / epsilon, axis=1))
        g = epsilon * (log_b - tf.reduce_logsumexp((f[:, None] - cost) / epsilon, axis=0))
    plan = tf.exp((f[:, None] + g[None, :] - cost) / epsilon)
    return plan, tf.reduce_sum(plan * cost)


sources = tf.random.uniform([400, 3], seed=1)
targets = tf.random.uniform([400, 3], seed=2)

plan, distance = sinkhorn(sources, targets)

# for: both
# fidelity: tolerance
"""The optimal transport plan between two clouds of points, by Sinkhorn's iteration on logarithms."""

import tensorflow as tf


def cost_matrix(x, y):
    return tf.reduce_sum(tf.square(x[:, None] - y[None, :]), axis=-1)


@tf.function(jit_compile=True)
def _sinkhorn_loop(steps, epsilon, log_a, cost, log_b, g, f):
    def step(i, g, f):
        f = epsilon * (log_a - tf.reduce_logsumexp((g[None, :] - cost) / epsilon, axis=1))
        g = epsilon * (log_b - tf.reduce_logsumexp((f[:, None] - cost) / epsilon, axis=0))
        return i + 1, g, f

    _, g, f = tf.while_loop(
        lambda i, g, f: i < steps,
        step,
        (0, g, f),
        shape_invariants=(tf.TensorShape([]), g.shape, f.shape),
        maximum_iterations=steps,
    )
    return g, f


def sinkhorn(x, y, epsilon=0.1, steps=50):
    cost = cost_matrix(x, y)
    f = tf.zeros([x.shape[0]])
    g = tf.zeros([y.shape[0]])
    log_a = -tf.math.log(float(x.shape[0]))
    log_b = -tf.math.log(float(y.shape[0]))
    g, f = _sinkhorn_loop(tf.constant(steps), tf.constant(epsilon), log_a, cost, log_b, g, f)
    plan = tf.exp((f[:, None] + g[None, :] - cost) / epsilon)
    return plan, tf.reduce_sum(plan * cost)


sources = tf.random.uniform([400, 3], seed=1)
targets = tf.random.uniform([400, 3], seed=2)

plan, distance = sinkhorn(sources, targets)

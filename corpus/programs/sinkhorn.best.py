"""One function that XLA compiles: the costs are the only matrix beside the result."""

import tensorflow as tf


def cost_matrix(x, y):
    return tf.reduce_sum(tf.square(x[:, None] - y[None, :]), axis=-1)


@tf.function(jit_compile=True)
def sinkhorn(x, y, epsilon=0.1, steps=50):
    cost = cost_matrix(x, y)
    log_a = -tf.math.log(float(x.shape[0]))
    log_b = -tf.math.log(float(y.shape[0]))

    def step(i, f, g):
        f = epsilon * (log_a - tf.reduce_logsumexp((g[None, :] - cost) / epsilon, axis=1))
        g = epsilon * (log_b - tf.reduce_logsumexp((f[:, None] - cost) / epsilon, axis=0))
        return i + 1, f, g

    _, f, g = tf.while_loop(lambda i, f, g: i < steps, step, (0, tf.zeros([x.shape[0]]), tf.zeros([y.shape[0]])), maximum_iterations=steps)
    plan = tf.exp((f[:, None] + g[None, :] - cost) / epsilon)
    return plan, tf.reduce_sum(plan * cost)


sources = tf.random.uniform([400, 3], seed=1)
targets = tf.random.uniform([400, 3], seed=2)

plan, distance = sinkhorn(sources, targets)

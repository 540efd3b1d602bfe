# for: both
import tensorflow as tf


@tf.function
def _settle_loop(x):
    def step(x, done):
        before = x
        x = tf.cos(x)
        if tf.reduce_max(tf.abs(x - before)) < 1e-3:
            return x, True
        return x, False

    x, _ = tf.while_loop(
        lambda x, done: not done,
        step,
        (x, False),
        shape_invariants=(x.shape, tf.TensorShape([])),
        parallel_iterations=1,
    )
    return x


def settle(x):
    x = _settle_loop(x)
    return x


result = settle(tf.constant([0.1, 0.9]))

# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _decay_loop(n, rate, x):
    def step(i, x):
        x = x - rate * x / tf.cast(tf.cast(i, tf.float64) + 1.0, tf.float32)
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < n,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=n,
    )
    return x


def decay(x, n, rate):
    if n > 0:
        x = _decay_loop(tf.constant(n), tf.constant(rate), x)
    return x


result = decay(tf.ones([3]), 60, 0.5)
again = decay(tf.ones([3]), 0, 0.25)

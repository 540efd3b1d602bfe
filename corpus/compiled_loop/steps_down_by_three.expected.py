# for: both
# fidelity: tolerance
# tfrewrite: off=numpy_loop
import tensorflow as tf


@tf.function(jit_compile=True)
def _sampled_loop(high, low, x):
    parts = tf.TensorArray(tf.float32, size=(high - low + 2) // 3, element_shape=x.shape)

    def step(i, x, parts):
        x = x * 0.99 + tf.cast(0.001 * tf.cast(i, tf.float64), tf.float32)
        parts = parts.write((high - i) // 3, x)
        return i - 3, x, parts

    _, _, parts = tf.while_loop(
        lambda i, x, parts: i > low,
        step,
        (high, x, parts),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=(high - low + 2) // 3,
    )
    return parts.stack()


def sampled(x, low, high):
    parts = _sampled_loop(tf.constant(high), tf.constant(low), x)
    return parts


result = sampled(tf.ones([2]), 2, 200)

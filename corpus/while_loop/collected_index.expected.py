# raises in a graph
"""An index of tf.range is a tensor, and computes as one where nothing raises: i / 4 is of float64."""
import tensorflow as tf


@tf.function
def quarters(n):
    tf.debugging.assert_positive(n)
    whole = tf.TensorArray(tf.int32, size=n, element_shape=[])
    parts = tf.TensorArray(tf.float64, size=n, element_shape=[])

    def step(i, whole, parts):
        whole = whole.write(i, i * 2 - 1)
        parts = parts.write(i, i / 4)
        return i + 1, whole, parts

    _, whole, parts = tf.while_loop(
        lambda i, whole, parts: i < n,
        step,
        (0, whole, parts),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None), tf.TensorShape(None)),
        maximum_iterations=n,
        parallel_iterations=1,
    )
    return whole.stack(), parts.stack()


result = quarters(tf.constant(5)), quarters(2)

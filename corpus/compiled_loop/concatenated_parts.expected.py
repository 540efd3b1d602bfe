# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _blocks_loop(x):
    parts = tf.TensorArray(tf.float32, size=60, element_shape=x.shape)

    def step(i, x, parts):
        x = x * 1.5 - tf.cast(i, tf.float32)
        parts = parts.write(i, x)
        return i + 1, x, parts

    _, _, parts = tf.while_loop(
        lambda i, x, parts: i < 60,
        step,
        (0, x, parts),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=60,
    )
    return parts.concat()


def blocks(x):
    parts = _blocks_loop(x)
    return parts


result = blocks(tf.ones([2, 3]))

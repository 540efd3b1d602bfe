# for: both
# fidelity: tolerance
# tfrewrite: off=numpy_loop
import tensorflow as tf


@tf.function(jit_compile=True)
def _settle_loop(x):
    def step(i, x):
        x = tf.sin(x)  # once more
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 64,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=64,
    )
    return x


def settle(x):
    x = _settle_loop(x)
    return x


result = settle(tf.ones([2]))

# for: both
# fidelity: tolerance
# tfrewrite: off=numpy_loop
import tensorflow as tf

x = tf.ones([3])


@tf.function(jit_compile=True)
def _x_loop(x):
    def step(i, x):
        x = tf.sin(x)
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 100,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=100,
    )
    return x


x = _x_loop(x)
i = 99

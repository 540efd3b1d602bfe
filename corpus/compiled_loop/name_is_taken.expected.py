# for: both
# fidelity: tolerance
# tfrewrite: off=numpy_loop
import tensorflow as tf


def _f_loop(x):
    return x


@tf.function(jit_compile=True)
def _f_loop_2(x):
    def step(i, x):
        x = x * 0.5 + 1.0
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 50,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=50,
    )
    return x


def f(x):
    x = _f_loop_2(x)
    return _f_loop(x)


result = f(tf.ones([2]))

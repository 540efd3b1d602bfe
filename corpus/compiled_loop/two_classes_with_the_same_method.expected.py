# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _run_loop(x):
    def step(i, x):
        x = x * 0.99
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 50,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=50,
    )
    return x


class Slow:
    def run(self):
        x = tf.ones([2])
        x = _run_loop(x)
        return x


@tf.function(jit_compile=True)
def _run_loop_2(x):
    def step(i, x):
        x = x * 0.9 + 1.0
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 50,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=50,
    )
    return x


class Fast:
    def run(self):
        x = tf.zeros([2])
        x = _run_loop_2(x)
        return x


result = Slow().run(), Fast().run()

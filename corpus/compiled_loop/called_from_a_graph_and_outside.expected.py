# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _settle_loop(x):
    def step(i, x):
        x = tf.tanh(x) * 0.5
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


@tf.function
def compiled(x):
    return settle(x) + 1.0


result = settle(tf.ones([2])), compiled(tf.ones([2]))

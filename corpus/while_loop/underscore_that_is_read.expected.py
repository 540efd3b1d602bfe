# for: both
# fidelity: tolerance
import tensorflow as tf


def _(text):
    return text.upper()


@tf.function
def settle(x):
    def step(i, x):
        x = x * 0.9
        return i + 1, x

    unused, x = tf.while_loop(
        lambda i, x: i < 90,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=90,
        parallel_iterations=1,
    )
    return tf.debugging.check_numerics(x, _("not a number"))


@tf.function
def search(x, last: int):
    def step(_, x, done):
        x = x * 0.9
        if _ > last:
            return _, x, True
        return _ + 1, x, False

    unused, x, unused = tf.while_loop(
        lambda _, x, done: _ < 90 and not done,
        step,
        (0, x, False),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape([])),
        maximum_iterations=90,
        parallel_iterations=1,
    )
    return x


result = settle(tf.ones([2])), search(tf.ones([2]), 70)

# for: both
import tensorflow as tf


@tf.function
def _settle_loop(x):
    def step(i, x):
        x = tf.math.erf(x + 0.2) - 0.22270258921047845
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 600,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=600,
        parallel_iterations=1,
    )
    return x


def settle(x):
    x = _settle_loop(x)
    return x


print(settle(tf.linspace(-1e-7, 1e-7, 9)).numpy())

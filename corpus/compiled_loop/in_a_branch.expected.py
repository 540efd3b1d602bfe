# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _smooth_loop(x):
    def step(i, x):
        x = 0.5 * x + 0.25 * (tf.roll(x, 1, 0) + tf.roll(x, -1, 0))
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 100,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=100,
    )
    return x


def smooth(x, often):
    if often:
        x = _smooth_loop(x)
    else:
        x = x + 0.0
    return x


result = smooth(tf.range(10.0), True), smooth(tf.range(10.0), False)

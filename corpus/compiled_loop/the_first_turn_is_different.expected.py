# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _smooth_loop(x):
    def step(i, average, x):
        if i == 0:
            average = x
        else:
            average = 0.9 * average + 0.1 * x
        x = tf.sin(x)
        return i + 1, average, x

    _, average, _ = tf.while_loop(
        lambda i, average, x: i < 64,
        step,
        (0, tf.zeros(x.shape, tf.float32), x),
        shape_invariants=(tf.TensorShape([]), x.shape, x.shape),
        maximum_iterations=64,
    )
    return average


def smooth(x):
    average = _smooth_loop(x)
    return average


result = smooth(tf.constant([0.1, 0.9]))

# for: both
import tensorflow as tf


@tf.function
def _populations_loop(x):
    def step(i, x):
        x = 3.9 * (x - x * x)
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 100,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=100,
        parallel_iterations=1,
    )
    return x


def populations(x):
    x = _populations_loop(x)
    return x


left = populations(tf.constant([0.1, 0.2, 0.3, 0.4]))
print("done")

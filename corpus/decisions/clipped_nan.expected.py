# for: both
import tensorflow as tf


@tf.function
def _squash_loop(x):
    def step(i, x):
        x = tf.clip_by_value(x, -0.5, 0.5)
        x = x * 2.0
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


def squash(x):
    x = _squash_loop(x)
    return x


data = tf.constant([1.0, 0.0, -3.0])
print(squash(data / tf.constant([1.0, 0.0, 2.0])).numpy(), squash(data).numpy())

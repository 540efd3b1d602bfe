# for: both
import tensorflow as tf


@tf.function
def _settle_loop(b, x):
    def step(i, x):
        x = x * 0.9 + b
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 200,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=200,
        parallel_iterations=1,
    )
    return x


def settle(x, b):
    x = _settle_loop(b, x)
    return x


x = settle(tf.zeros([2000]), tf.range(2000.0) * 0.01 + 1.0)
hilbert = 1.0 / (tf.range(1.0, 9.0)[:, None] + tf.range(8.0)[None])
print(tf.linalg.inv(hilbert) @ x[:8, None])

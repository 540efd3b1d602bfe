# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def decay(x, last: int):
    def step(i, x, done):
        x = x * 0.99
        if i == last:
            return i, x, True
        x = x + 0.001
        return i + 1, x, False

    _, x, _ = tf.while_loop(
        lambda i, x, done: i < 100 and not done,
        step,
        (0, x, False),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape([])),
        maximum_iterations=100,
        parallel_iterations=1,
    )
    return x


result = decay(tf.ones([2]), 70)

# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def last_error(x, target):
    def step(i, x, error):
        error = tf.reduce_sum(tf.square(x - target))
        x = x + 0.1 * (target - x)
        return i + 1, x, error

    _, _, error = tf.while_loop(
        lambda i, x, error: i < 40,
        step,
        (0, x, tf.zeros([], tf.float32)),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape([])),
        maximum_iterations=40,
        parallel_iterations=1,
    )
    return error


result = last_error(tf.zeros([3]), tf.ones([3]))

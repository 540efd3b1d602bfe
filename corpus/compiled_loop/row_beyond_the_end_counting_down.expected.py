# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def _beyond_loop(x, total):
    def step(i, total):
        total = tf.tanh(total + x[i]) * 0.5
        return i - 1, total

    _, total = tf.while_loop(
        lambda i, total: i > -1,
        step,
        (500 - 1, total),
        shape_invariants=(tf.TensorShape([]), total.shape),
        maximum_iterations=500 - 1 + 1,
        parallel_iterations=1,
    )
    return total


def beyond(x):
    total = tf.zeros([3])
    total = _beyond_loop(x, total)
    return total


try:
    beyond(tf.ones([499, 3]))
except tf.errors.InvalidArgumentError:
    raised = True

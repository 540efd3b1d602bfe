# for: both
# fidelity: tolerance
import tensorflow as tf


def beyond(x):
    total = tf.zeros([3])
    for i in range(500 - 1, -1, -1):
        total = tf.tanh(total + x[i]) * 0.5
    return total


try:
    beyond(tf.ones([499, 3]))
except tf.errors.InvalidArgumentError:
    raised = True

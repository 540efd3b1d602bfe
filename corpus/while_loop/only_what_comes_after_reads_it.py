# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def last_error(x, target):
    for _ in range(40):
        error = tf.reduce_sum(tf.square(x - target))
        x = x + 0.1 * (target - x)
    return error


result = last_error(tf.zeros([3]), tf.ones([3]))

# fidelity: tolerance
import tensorflow as tf


def overlap(basis, other):
    # How much of one basis lies in the other.
    # all pairs
    return tf.reduce_sum((basis + 1.0) * tf.transpose(other)) / 200.0


result = overlap(tf.random.normal([200, 10]), tf.random.normal([10, 200]))

# fidelity: tolerance
import tensorflow as tf


def overlap(basis, other):
    # How much of one basis lies in the other.
    product = tf.matmul(basis + 1.0, other)  # all pairs
    return tf.linalg.trace(product) / 200.0


result = overlap(tf.random.normal([200, 10]), tf.random.normal([10, 200]))

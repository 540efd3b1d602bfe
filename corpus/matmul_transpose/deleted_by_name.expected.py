# fidelity: tolerance
import tensorflow as tf


def product(a, b):
    scores = tf.matmul(a, b, transpose_b=True)
    return scores


result = product(tf.ones([3, 30]), tf.ones([4, 30]))

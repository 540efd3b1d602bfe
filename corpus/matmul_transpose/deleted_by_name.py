# fidelity: tolerance
import tensorflow as tf


def product(a, b):
    turned = tf.transpose(b, [1, 0])
    scores = tf.matmul(a, turned)
    del turned
    return scores


result = product(tf.ones([3, 30]), tf.ones([4, 30]))

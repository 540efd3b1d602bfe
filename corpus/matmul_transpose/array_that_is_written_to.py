import numpy as np
import tensorflow as tf


def product(a):
    b = np.ones((20, 20), np.float32)
    turned = tf.transpose(b)
    b[0] = 5
    return tf.matmul(a, turned)


result = product(tf.ones([3, 20]))

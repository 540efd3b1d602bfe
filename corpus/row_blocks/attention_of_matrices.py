# fidelity: tolerance
# peak at most: 0.6
import tensorflow as tf


def attend(queries, keys, values):
    weights = tf.nn.softmax(tf.matmul(queries, keys, transpose_b=True))
    return weights @ values


attended = attend(tf.random.normal([1500, 16]), tf.random.normal([1501, 16]), tf.random.normal([1501, 16]))

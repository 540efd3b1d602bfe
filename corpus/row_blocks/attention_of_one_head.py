# fidelity: tolerance
import tensorflow as tf


def attend(queries, keys, values):
    return tf.nn.softmax(queries @ tf.transpose(keys)) @ values


attended = attend(tf.random.normal([1500, 16]), tf.random.normal([1500, 16]), tf.random.normal([1500, 16]))

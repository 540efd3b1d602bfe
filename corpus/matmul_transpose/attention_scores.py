# fidelity: tolerance
"""Heads and batches: only the last two axes change places."""
import tensorflow as tf


def attend(query, key, value):
    scores = tf.matmul(query, tf.transpose(key, perm=[0, 1, 3, 2]))
    weights = tf.nn.softmax(scores / 4.0)
    return tf.matmul(weights, value)


query = tf.random.stateless_normal([2, 3, 10, 16], seed=[1, 2])
attended = attend(query, query + 1, query - 1)

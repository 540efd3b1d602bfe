# fidelity: tolerance
import tensorflow as tf


def means(weights, values):
    weighted = weights[:, None] * values  # one row for each
    return tf.reduce_sum(weighted, axis=0) / tf.reduce_sum(weights)


def freed(weights, values):
    weighted = weights[:, None] * values
    total = tf.reduce_sum(weighted, axis=0)
    del weighted
    return total


mean = means(tf.random.uniform([2000], dtype=tf.float64), tf.random.uniform([2000, 100], dtype=tf.float64))
total = freed(tf.random.uniform([2000], dtype=tf.float64), tf.random.uniform([2000, 100], dtype=tf.float64))

# fidelity: tolerance
import tensorflow as tf


def means(weights, values):
    # one row for each
    return tf.linalg.matvec(values, weights, transpose_a=True) / tf.reduce_sum(weights)


def freed(weights, values):
    total = tf.linalg.matvec(values, weights, transpose_a=True)
    return total


mean = means(tf.random.uniform([2000], dtype=tf.float64), tf.random.uniform([2000, 100], dtype=tf.float64))
total = freed(tf.random.uniform([2000], dtype=tf.float64), tf.random.uniform([2000, 100], dtype=tf.float64))

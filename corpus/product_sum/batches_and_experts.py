# fidelity: tolerance
import tensorflow as tf


def mixed(gates, outputs):
    # What each expert says, by how much it is trusted.
    return tf.reduce_sum(gates[:, :, None] * outputs, axis=1)


def ensemble(weights, predictions):
    return tf.reduce_sum(tf.reshape(weights, [-1, 1, 1]) * predictions, axis=0)


def projected(vectors, batches):
    return tf.reduce_sum(vectors[:, None] * batches, axis=-1), tf.reduce_sum(batches * vectors[0], axis=-1)


outputs = tf.random.uniform([64, 30, 100], dtype=tf.float64)
weighted = mixed(tf.random.uniform([64, 30], dtype=tf.float64), outputs)
together = ensemble(tf.random.uniform([64], dtype=tf.float64), outputs)
scores = projected(tf.random.uniform([64, 100], dtype=tf.float64), outputs)
grams = tf.reduce_sum(outputs[:, :, :, None] * outputs[:, :, None, :], axis=1)
everywhere = tf.reduce_sum(tf.random.uniform([20, 64], dtype=tf.float64)[:, :, None, None] * outputs[None], axis=1)

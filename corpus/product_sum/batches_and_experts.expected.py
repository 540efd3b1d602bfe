# fidelity: tolerance
import tensorflow as tf


def mixed(gates, outputs):
    # What each expert says, by how much it is trusted.
    return tf.linalg.matvec(outputs, gates, transpose_a=True)


def ensemble(weights, predictions):
    return tf.tensordot(weights, predictions, axes=1)


def projected(vectors, batches):
    return tf.linalg.matvec(batches, vectors), tf.linalg.matvec(batches, vectors[0])


outputs = tf.random.uniform([64, 30, 100], dtype=tf.float64)
weighted = mixed(tf.random.uniform([64, 30], dtype=tf.float64), outputs)
together = ensemble(tf.random.uniform([64], dtype=tf.float64), outputs)
scores = projected(tf.random.uniform([64, 100], dtype=tf.float64), outputs)
grams = tf.matmul(outputs, outputs, transpose_a=True)
everywhere = tf.tensordot(tf.random.uniform([20, 64], dtype=tf.float64), outputs, axes=1)

# fidelity: tolerance
# peak at most: 0.6
import tensorflow as tf


def best_match(queries, documents):
    queries = tf.math.l2_normalize(queries, axis=1)
    documents = tf.math.l2_normalize(documents, axis=1)
    similarity = tf.matmul(queries, documents, transpose_b=True)
    return tf.reduce_max(similarity, axis=1)


best = best_match(tf.random.normal([2500, 16], seed=1), tf.random.normal([2000, 16], seed=2))

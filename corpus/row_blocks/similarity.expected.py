# fidelity: tolerance
# peak at most: 0.6
import tensorflow as tf


def best_match(queries, documents):
    queries = tf.math.l2_normalize(queries, axis=1)
    documents = tf.math.l2_normalize(documents, axis=1)

    def of_rows(rows):
        similarity = tf.matmul(rows, documents, transpose_b=True)
        return tf.reduce_max(similarity, axis=1)

    return tf.concat(
        [of_rows(queries[start : start + 512]) for start in range(0, queries.shape[0], 512)],
        axis=0,
    )


best = best_match(tf.random.normal([2500, 16], seed=1), tf.random.normal([2000, 16], seed=2))

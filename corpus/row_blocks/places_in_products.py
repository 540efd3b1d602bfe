import tensorflow as tf


def best_match(queries, documents):
    similarity = tf.matmul(queries, documents, transpose_b=True)
    return tf.argmax(similarity, axis=1)  # refused: row_blocks: depends on a value that is rounded differently


def close_by(x, y):
    near = tf.exp(-tf.reduce_sum(tf.square(x[:, None] - y[None]), axis=-1)) > 0.5
    return tf.reduce_sum(tf.cast(near, tf.int32), axis=1)  # refused: row_blocks: depends on a value that is rounded differently


best = best_match(tf.random.normal([2500, 16], seed=1), tf.random.normal([2000, 16], seed=2))
each = close_by(tf.random.normal([800, 16], seed=1), tf.random.normal([500, 16], seed=2))

import tensorflow as tf


def attend(queries, keys, values):
    weights = tf.nn.softmax(tf.matmul(queries, keys, transpose_b=True))
    result = tf.matmul(weights, values)  # refused: row_blocks: tf.argmax(result + 1.0, axis=1) makes another number
    return tf.argmax(result + 1.0, axis=1)


places = attend(tf.random.normal([1500, 16], seed=1), tf.random.normal([1501, 16], seed=2), tf.random.normal([1501, 16], seed=3))

# unsafe
import tensorflow as tf

half = tf.keras.layers.Lambda(lambda x: 0.5 * x)


def scores(queries, keys):
    scaled = half(keys)
    tf.debugging.assert_rank(scaled, 2)
    return tf.matmul(queries, tf.transpose(scaled))


def scores_of_two_sizes(queries, keys):
    scaled = half(keys)
    count, width = scaled.shape
    return tf.matmul(queries, tf.transpose(scaled)) / width


def scores_of_any_rank(queries, keys):
    scaled = half(keys)
    tf.debugging.assert_rank(keys, 2)
    return tf.matmul(queries, tf.transpose(scaled))  # refused: matmul_transpose: scaled is not known to have rank 2


first = scores(tf.random.normal([20, 30]), tf.random.normal([40, 30]))
second = scores_of_two_sizes(tf.random.normal([20, 30]), tf.random.normal([40, 30]))
third = scores_of_any_rank(tf.random.normal([20, 30]), tf.random.normal([40, 30]))

import tensorflow as tf


def nearest(points, centres):
    distances = tf.reduce_sum((points[:, None] - centres) ** 2, axis=-1)
    return tf.argmin(distances, axis=1)  # refused: row_blocks: depends on a value that is rounded differently


labels = nearest(tf.random.normal([4000, 16], seed=1), tf.random.normal([50, 16], seed=2))

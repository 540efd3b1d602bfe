import tensorflow as tf


def distances(x, y):
    differences = x[:, None, :] - y[None, :, :]  # [n, m, d]
    return tf.reduce_sum(tf.square(differences), axis=-1)  # refused: row_blocks: the comment beside differences mentions its sizes


def lengths(x, y):
    differences = x[:, None, :] - y[None, :, :]  # type: ignore
    return tf.reduce_sum(tf.abs(differences), axis=-1)  # refused: row_blocks: a comment beside it tells a tool about its line


x = tf.random.normal([800, 16])
squared, long = distances(x, x), lengths(x, x)

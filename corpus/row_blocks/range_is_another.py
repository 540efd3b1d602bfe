import tensorflow as tf


def distances(x, y):
    range = 0.5
    differences = x[:, None, :] - y[None, :, :]
    return tf.reduce_sum(tf.square(differences), axis=-1) * range  # refused: row_blocks: range is given another meaning here


x = tf.random.normal([512, 64], seed=1)
result = distances(x, x)

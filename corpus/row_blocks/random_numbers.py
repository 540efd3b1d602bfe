import tensorflow as tf


def noisy(x, y):
    apart = x[:, None] - y[None] + tf.random.normal([800, 500, 16])
    return tf.reduce_sum(tf.square(apart), axis=-1)


def dropped(x, y):
    return tf.reduce_sum(tf.nn.dropout(tf.square(x[:, None] - y[None]), 0.5), axis=-1)  # refused: row_blocks: what tf.nn.dropout computes


x, y = tf.random.normal([800, 16], seed=1), tf.random.normal([500, 16], seed=2)
a, b = noisy(x, y), dropped(x, y)

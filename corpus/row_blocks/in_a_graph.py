import tensorflow as tf


@tf.function
def distances(x, y):
    differences = x[:, None, :] - y[None, :, :]
    return tf.reduce_sum(tf.square(differences), axis=-1)  # refused: row_blocks: how many blocks that holds at once is up to its scheduler


@tf.function(jit_compile=True)
def furthest(x):
    apart = tf.norm(x[:, None] - x[None], axis=-1)
    return tf.reduce_max(apart, axis=1)  # refused: row_blocks: XLA holds all blocks at once


def spread(x):
    return tf.reduce_max(tf.abs(x[:, None] - x[None]), axis=[1, 2])  # refused: row_blocks: a graph may run it


@tf.function
def doubled_spread(x):
    return 2.0 * spread(x)


x = tf.random.normal([800, 16])
result = distances(x, x)
edge = furthest(x)
own, doubled = spread(x), doubled_spread(x)

import tensorflow as tf


def distances(x):
    inner = tf.reduce_sum(x[:, None, :] * x[None, :, :], axis=-1)  # refused: product_sum: `tf.sqrt(squares)` turns a rounding error near zero
    lengths = tf.reduce_sum(tf.square(x), axis=-1)
    squares = lengths[:, None] + lengths[None, :] - 2.0 * inner
    return tf.sqrt(squares)


def cancelled(x, y):
    inner = tf.reduce_sum(x[:, None, :] * y[None, :, :], axis=-1)  # refused: product_sum: `inner == 0.0` depends on a value
    return tf.where(inner == 0.0, 1.0, 0.0)


def powers(x, y):
    if tf.size(total := tf.reduce_sum(x[:, None, :] * y[None, :, :], axis=-1)) > 0:  # refused: product_sum: into another number
        return total**0.5
    return total


def squares(x, y):
    return tf.reduce_sum(x[:, None, :] * y[None, :, :], axis=-1) // 0.5  # refused: product_sum: depends on a value that is rounded differently


x = tf.random.normal([101, 64], seed=3)
opposite = tf.reshape(tf.stack([x, -x], axis=-1), [101, 128])
pairs = tf.repeat(tf.random.normal([37, 64], seed=4), 2, axis=1)
result = distances(x), cancelled(opposite, pairs), powers(opposite, pairs), squares(opposite, pairs)
print("done")

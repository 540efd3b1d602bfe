import tensorflow as tf


def grown(x):
    rows = tf.zeros([1, 3])
    for _ in range(90):  # refused: compiled_loop: rows changes its shape
        x = tf.tanh(x)
        rows = tf.concat([rows, x[tf.newaxis] / rows.shape[0]], 0)
    return rows


result = grown(tf.ones([3]))

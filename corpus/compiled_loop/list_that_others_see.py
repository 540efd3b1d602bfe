# tfrewrite: off=numpy_loop
import tensorflow as tf


def kept(x, rows):
    for _ in range(60):  # refused: compiled_loop: rows is not known to be a list of this function's own
        x = tf.tanh(x)
        rows.append(x)
    return tf.stack(rows)


def shared_line(x):
    rows = []; x = x + 1.0
    for _ in range(60):
        x = tf.tanh(x)
        rows.append(x)
    return tf.stack(rows)


given = []
result = kept(tf.ones([2]), given), given, shared_line(tf.ones([2]))

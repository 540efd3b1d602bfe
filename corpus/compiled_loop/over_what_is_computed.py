import tensorflow as tf


def over_columns(x, rows):
    for row in rows[:, 0]:  # refused: compiled_loop: rows[:, 0] would be computed again for every row
        x = tf.tanh(x) + row
    return x


result = over_columns(tf.ones([2]), tf.ones([60, 2]))

import tensorflow as tf


@tf.function
def small(rows):
    state = tf.zeros_like(rows[0])
    for row in rows:
        state = tf.tanh(state + row)
    return state


@tf.function
def few(rows):
    state = tf.zeros_like(rows[0])
    for row in rows:
        state = tf.tanh(state + row)
    return state


@tf.function
def of_any_size(rows):
    state = tf.zeros_like(rows[0])
    for row in rows:  # refused: rows_by_index: the size of a row of rows is not known
        state = tf.tanh(state + row)
    return state


large = tf.reshape(tf.range(8.0 * 20000), [8, 20000]) / 160000.0
result = small(tf.ones([1000, 100])), few(large[:2]), of_any_size(large), of_any_size(tf.ones([3, 2]))

import tensorflow as tf


@tf.function
def outer(column: tf.Tensor, row: tf.Tensor):
    column = tf.ensure_shape(column, [50, 1])
    row = tf.ensure_shape(row, [30])
    return tf.exp(column) * tf.tile(row[None], [50, 1])  # refused: implicit_broadcast: memory becomes the result's


result = outer(tf.ones([50, 1]), tf.range(30.0))

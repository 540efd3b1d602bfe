import tensorflow as tf


@tf.function(jit_compile=True)
def scaled(x: tf.Tensor, row: tf.Tensor):
    x = tf.ensure_shape(x, [50, 30])
    row = tf.ensure_shape(row, [30])
    return tf.exp(x) * tf.tile(row[None], [50, 1])  # refused: implicit_broadcast: XLA computes the repeated operand


result = scaled(tf.ones([50, 30]), tf.range(30.0))

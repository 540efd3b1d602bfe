import tensorflow as tf


def shifted(x: tf.Tensor, offset: tf.Tensor):
    offset = tf.ensure_shape(offset, [30])
    x = tf.ensure_shape(x, [50, 30])
    return x + tf.broadcast_to(offset, tf.shape(x))  # refused: implicit_broadcast: not known to run eagerly


operations = {"shift": shifted}
result = operations["shift"](tf.ones([50, 30]), tf.range(30.0))

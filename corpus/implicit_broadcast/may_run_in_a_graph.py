import tensorflow as tf


def shifted(x: tf.Tensor, offset: tf.Tensor):
    return x + tf.broadcast_to(offset, tf.shape(x))  # refused: implicit_broadcast: not known to run eagerly


operations = {"shift": shifted}
result = operations["shift"](tf.ones([50, 30]), tf.range(30.0))

# unsafe
import tensorflow as tf


def shifted(x: tf.Tensor, offset: tf.Tensor):
    return x + offset


operations = {"shift": shifted}
result = operations["shift"](tf.ones([50, 30]), tf.range(30.0))

import tensorflow as tf
from tensorflow.linalg import tensor_diag


def damped(strengths):
    n = tf.size(strengths)
    strengths = tf.ensure_shape(strengths, [20])
    # the further away, the weaker
    field = tf.ones([20, 4])
    return tf.expand_dims(1 / (1 + strengths), -1) * field + tf.cast(n, tf.float32)


result = damped(tf.range(20.0))
other = tf.expand_dims(result[:, 0], -1) * tf.ones([20, 4])

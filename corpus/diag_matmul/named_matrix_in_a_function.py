import tensorflow as tf
from tensorflow.linalg import tensor_diag


def damped(strengths):
    n = tf.size(strengths)
    strengths = tf.ensure_shape(strengths, [20])
    # the further away, the weaker
    damping = tf.linalg.diag(1 / (1 + strengths))
    field = tf.ones([20, 4])
    return tf.matmul(damping, field) + tf.cast(n, tf.float32)


result = damped(tf.range(20.0))
other = tensor_diag(result[:, 0]) @ tf.ones([20, 4])

# for: both
# fidelity: tolerance
# peak at most: 0.4
import tensorflow as tf
from tensorflow import multiply, newaxis
from tensorflow.math import reduce_sum as total

a = tf.random.uniform([100, 40], dtype=tf.float64)
b = tf.random.uniform([40, 100], dtype=tf.float64)
product = tf.reduce_sum(a[:, :, None] * b[None, :, :], axis=1)
similar = tf.reduce_sum(a[:, None, :] * a[None, :, :], axis=-1)
other_way = tf.reduce_sum(a[None] * a[:, None], 2)
columns = total(multiply(b[:, :, newaxis], b[:, newaxis]), axis=[0])
turned = tf.reduce_sum(tf.expand_dims(b, -1) * tf.expand_dims(tf.transpose(a), 1), (0,), keepdims=False)
outer = total(multiply(a[..., None, :], tf.reshape(a, [1, 100, 40])), axis=-1)

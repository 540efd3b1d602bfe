# for: both
# fidelity: tolerance
# peak at most: 0.4
import tensorflow as tf
from tensorflow import multiply, newaxis
from tensorflow.math import reduce_sum as total

a = tf.random.uniform([100, 40], dtype=tf.float64)
b = tf.random.uniform([40, 100], dtype=tf.float64)
product = tf.matmul(a, b)
similar = tf.matmul(a, a, transpose_b=True)
other_way = tf.matmul(a, a, transpose_b=True)
columns = tf.matmul(b, b, transpose_a=True)
turned = tf.matmul(b, a, transpose_a=True, transpose_b=True)
outer = tf.matmul(a, a, transpose_b=True)

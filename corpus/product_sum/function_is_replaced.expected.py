# fidelity: tolerance
import tensorflow as tf

original = tf.linalg.matvec
tf.linalg.matvec = lambda m, v, **options: original(m, v, **options) * 2.0
m = tf.random.uniform([400, 400], dtype=tf.float64)
sums = tf.reduce_sum(m * m[0], axis=1)  # refused: product_sum: this file replaces tf.linalg.matvec
tf.linalg.matvec = original
product = tf.matmul(m[:10], m)

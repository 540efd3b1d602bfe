# for: both
import tensorflow as tf



def similar(a, b):
    return tf.reduce_sum(a[:, None, :] * b[None, :, :], axis=-1)  # refused: product_sum: the effect of `tf.tan(s)` on a rounding error is not known


base = tf.abs(tf.round(tf.random.uniform([300, 64], seed=3) * 10.0) / 10.0)
b = tf.concat([base[:100], base[:100, ::-1]], 0)
a = (base + base[:, ::-1]) / 2.0
w = tf.matmul(a, tf.ones([64, 3]))
s = similar(a, b)
print(float(tf.reduce_max(tf.tan(s))))

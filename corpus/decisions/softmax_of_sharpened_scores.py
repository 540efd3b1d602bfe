# for: both
import tensorflow as tf



def similar(a, b):
    return tf.reduce_sum(a[:, None, :] * b[None, :, :], axis=-1)  # refused: product_sum: `s * 900.0` magnifies a rounding error


base = tf.abs(tf.round(tf.random.uniform([300, 64], seed=3) * 10.0) / 10.0)
b = tf.concat([base[:100], base[:100, ::-1]], 0)
a = (base + base[:, ::-1]) / 2.0
w = tf.matmul(a, tf.ones([64, 3]))
s = similar(a, b)
sharp = tf.nn.softmax(s * 900.0 * 900.0, axis=1)
print(float(tf.reduce_max(sharp)))

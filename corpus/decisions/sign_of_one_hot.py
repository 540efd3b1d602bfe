# for: both
import numpy as np
import tensorflow as tf


def similar(q, k):
    return tf.reduce_sum(q[:, None, :] * k[None, :, :], axis=-1)  # refused: product_sum: `1.0 / t` turns a rounding error near zero into another number


half = tf.sin(tf.reshape(tf.range(0.0, 0.0 + 50.0 * 64.0), [50, 64]))
items = tf.concat([half, tf.reverse(half, [1])], axis=0)
queries = tf.cos(tf.reshape(tf.range(0.5, 0.5 + 120.0 * 64.0), [120, 64]))
queries = queries + tf.reverse(queries, [1])
gram = tf.matmul(items, items, transpose_b=True)
v = similar(queries, items)[0] * 1.0
w = tf.one_hot(0, 2, on_value=1.0, off_value=-1.0)
t = tf.linalg.matvec(tf.transpose(tf.reshape(v, [2, 50])), w)
print((1.0 / t).numpy().tolist())

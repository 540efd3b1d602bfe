# for: both
import numpy as np
import tensorflow as tf


def similar(q, k):
    return tf.reduce_sum(q[:, None, :] * k[None, :, :], axis=-1)  # refused: product_sum: `z[:50] > z[50:]` depends on a value that is rounded differently


half = tf.sin(tf.reshape(tf.range(0.0, 0.0 + 50.0 * 64.0), [50, 64]))
items = tf.concat([half, tf.reverse(half, [1])], axis=0)
queries = tf.cos(tf.reshape(tf.range(0.5, 0.5 + 120.0 * 64.0), [120, 64]))
queries = queries + tf.reverse(queries, [1])
gram = tf.matmul(items, items, transpose_b=True)
v = similar(queries, items)[0] * 1.0
z = tf.zeros([100])
try:
    z = v * 1.0
    int("no")
    z = tf.zeros([100])
except ValueError:
    pass
print(int(tf.reduce_sum(tf.cast(z[:50] > z[50:], tf.int32))))

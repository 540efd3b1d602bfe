# for: both
import tensorflow as tf


def similar(q, k):
    return tf.reduce_sum(q[:, None, :] * k[None, :, :], axis=-1)  # refused: product_sum: `tf.math.log(loss)` turns a rounding error near zero into another number


half = tf.sin(tf.reshape(tf.range(0.0, 0.0 + 50.0 * 64.0), [50, 64]))
items = tf.concat([half, tf.reverse(half, [1])], axis=0)
queries = tf.cos(tf.reshape(tf.range(0.5, 0.5 + 120.0 * 64.0), [120, 64]))
queries = queries + tf.reverse(queries, [1])
gram = tf.matmul(items, items, transpose_b=True)
m = similar(queries, items)
v = m[0] * 1.0
d = v[:50] - v[50:]
loss = tf.reduce_mean(tf.square(d))
y = 10.0 * tf.math.log(loss) / 2.302585
print("done")

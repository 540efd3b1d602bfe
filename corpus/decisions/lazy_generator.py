# for: both
import tensorflow as tf


def similar(q, k):
    return tf.reduce_sum(q[:, None, :] * k[None, :, :], axis=-1)  # refused: product_sum: `best > limit` depends on a value that is rounded differently


half = tf.sin(tf.reshape(tf.range(0.0, 0.0 + 50.0 * 64.0), [50, 64]))
items = tf.concat([half, tf.reverse(half, [1])], axis=0)
queries = tf.cos(tf.reshape(tf.range(0.5, 0.5 + 120.0 * 64.0), [120, 64]))
queries = queries + tf.reverse(queries, [1])
gram = tf.matmul(items, items, transpose_b=True)
m = similar(queries, items)
v = m[0] * 1.0
best = 0.0
limits = [float(tf.reduce_sum(queries[0] * items[i])) for i in range(50)]
flags = (best > limit for limit in limits)
best = float(v[50])
print(sum(flags))

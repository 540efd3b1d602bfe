# for: both
import tensorflow as tf


def similar(q, k):
    return tf.reduce_sum(q[:, None, :] * k[None, :, :], axis=-1)  # refused: product_sum: what `print(float(v[0]))` prints may be read back


half = tf.sin(tf.reshape(tf.range(31.0, 31.0 + 50.0 * 64.0), [50, 64]))
items = tf.concat([half, tf.reverse(half, [1])], axis=0)
queries = tf.cos(tf.reshape(tf.range(31.5, 31.5 + 120.0 * 64.0), [120, 64]))
queries = queries + tf.reverse(queries, [1])
gram = tf.matmul(items, items, transpose_b=True)
m = similar(queries, items)
v = m[0] * 1.0
import contextlib
import io
out = io.StringIO()
with contextlib.redirect_stdout(out):
    print(float(v[0]))
print(len(out.getvalue()))

# for: both
import tensorflow as tf


def nearest(query, keys):
    return tf.argsort(tf.matmul(query, tf.transpose(keys)), axis=1, stable=True)  # refused: matmul_transpose: an operation depends on a value that is rounded differently


half = tf.reshape(tf.cos(tf.range(150.0 * 333.0)), [150, 333])
keys = tf.concat([half, tf.reverse(half, [1])], axis=0)
query = tf.reshape(tf.sin(tf.range(333.0)), [1, 333])
best = nearest(query + tf.reverse(query, [1]), keys)
print("done")

# for: both
import tensorflow as tf


def attend(queries, keys, values):
    return tf.nn.softmax(queries @ tf.transpose(keys)) @ values  # refused: row_blocks: a sum may round off what is beside 1e+08


x = tf.reshape(tf.sin(tf.range(1500.0 * 16.0)), [1500, 16])
attended = attend(x, x, x)
digits = tf.cast(attended * 1e8, tf.int32) % 10
print("done")

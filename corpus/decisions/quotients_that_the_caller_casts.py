# for: both
import tensorflow as tf


def shares(x, y):  # refused: tf_function: `tf.cast(shares(x, x + step), tf.int32)` depends on a value that is rounded differently
    a = x / 41.0
    b = y / 41.0
    return a + b


x = tf.reshape(tf.range(1100000.0), [1100, 1000])
pages = [int(tf.reduce_sum(tf.cast(shares(x, x + step), tf.int32) % 7)) for step in (0.0, 41.0)]
print(pages)

# for: both
import tensorflow as tf


@tf.function  # refused: retraced_argument: `x / n >= 0.3` depends on a value that is rounded differently
def split_at(x):
    n = tf.cast(tf.size(x), tf.float32)
    return tf.reduce_sum(tf.cast(x / n >= 0.3, tf.int32))


data = tf.range(1000.0)
print([int(split_at(data[:n])) for n in range(30, 200)])

# for: both
import tensorflow as tf


def bins(x, turns):
    total = tf.zeros([61], tf.int32)
    for _ in range(turns):  # refused: compiled_loop: an operation depends on a value that is rounded differently
        total = total + tf.cast(x / tf.cast(tf.size(x), tf.float32), tf.int32)
        x = x + 1.0
    return total


print(bins(tf.range(61.0) * 61.0, 60).numpy().tolist())

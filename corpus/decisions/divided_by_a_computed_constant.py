# for: both
import tensorflow as tf


def bins(x, turns):
    total = tf.zeros([100], tf.int32)
    for _ in range(turns):  # refused: compiled_loop: an operation depends on a value that is rounded differently
        total = total + tf.cast(x / tf.reduce_sum(tf.ones([41])), tf.int32)
        x = x + 1.0
    return total


print(bins(tf.range(100.0), 60).numpy().tolist())

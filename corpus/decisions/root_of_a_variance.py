# for: both
import tensorflow as tf


def spreads(rows, turns):
    for _ in range(turns):
        mean = tf.reduce_mean(rows, axis=1, keepdims=True)
        spread = tf.sqrt(tf.reduce_mean(rows * rows, axis=1, keepdims=True) - mean * mean)
        rows = rows * 0.999
    return spread


spread = spreads(tf.tile(tf.range(300, dtype=tf.float32)[:, None] * 0.1 + 0.7, [1, 3]), 30)
broken = int(tf.reduce_sum(tf.cast(tf.math.is_nan(spread), tf.int32)))
print("done")

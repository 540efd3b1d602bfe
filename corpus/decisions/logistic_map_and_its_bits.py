# for: both
import tensorflow as tf


def logistic(x, turns):
    bits = tf.zeros(x.shape, tf.int32)
    for _ in range(turns):
        x = 3.99 * (x - x * x)
        bits = bits * 2 % 65536 + tf.cast(x > 0.5, tf.int32)
    return bits


key = logistic(tf.range(1, 65, dtype=tf.float32) / 65.0, 100)
print("done")

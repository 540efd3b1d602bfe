# for: both
import tensorflow as tf


def buckets(x, n):
    total = tf.zeros([500])
    for i in range(n):
        x = x + 1.0
        total = total + tf.floor(x / 41.0)
    return total


counts = buckets(tf.cast(tf.range(500), tf.float32), 60)
print("done")

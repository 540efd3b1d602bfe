# for: both
import tensorflow as tf


def fold(x, n):
    for _ in range(n):
        x = tf.math.squared_difference(x, 1.7)
        x = tf.abs(1.0 - x)
    return x


result = fold(tf.range(100.0) / 100.0, 100)
print("done")

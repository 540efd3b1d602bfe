# for: both
import tensorflow as tf


def levels(x, y, n):
    for i in range(n):
        x = tf.math.multiply_no_nan(x, y) + 0.3
    return tf.floor(x)


x = tf.range(1000.0) / 7.0
result = levels(x, tf.fill([1000], 0.9), 200)
print("done")

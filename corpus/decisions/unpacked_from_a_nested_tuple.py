# for: both
import tensorflow as tf


def levels(x, y, n):
    for i in range(n):
        (p, q), r = (x * y, y), y
        x = p + 0.3
    return tf.floor(x)


x = tf.range(1000.0) / 7.0
result = levels(x, tf.fill([1000], 0.9), 200)
print("done")

# for: both
import tensorflow as tf


def discriminant(a, b, c):  # refused: tf_function: an operation depends on a value that is rounded differently
    square = b * b
    product = 4.0 * a * c
    return square - product


r = tf.reshape(tf.range(1100000.0), [1100, 1000]) * 0.37 + 0.1
roots = [int(tf.math.count_nonzero(discriminant(a * tf.ones_like(r), 2.0 * a * r, a * r * r) > 0.0)) for a in (1.0, 1.1)]
print(roots)

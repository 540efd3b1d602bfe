# for: both
import tensorflow as tf


def likelihoods(a, b, turns):
    total = tf.zeros_like(a)
    for _ in range(turns):
        total = total + tf.exp(a) * tf.exp(b)
        b = b - 1.0
    return total


total = likelihoods(tf.range(100, dtype=tf.float32), -tf.range(100, dtype=tf.float32), 40)
known = int(tf.math.count_nonzero(tf.math.is_finite(total)))
print("done")

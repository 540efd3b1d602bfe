import numpy as np
import tensorflow as tf


@tf.function
def scaled(x, k):
    return x * k


@tf.function
def shifted(x, k):
    return x + (k + 1), k


@tf.function
def cast_inside(x, k):
    return x / (tf.cast(k, tf.float64) + 1.0), k


@tf.function
def compared(x, *, k):
    return tf.where(x > k, tf.clip_by_value(x, -k, k), x)


data = np.ones([7]) / 3
counts = tf.range(5, dtype=tf.int64)
whole = tf.range(5)
kept = []
for i, share in enumerate([0.1, 0.3, 0.7, 1.1, 1.3, 1.7]):
    kept.append(scaled(data, share))
    kept.append(shifted(whole, i))
    kept.append(scaled(counts, i))
    kept.append(cast_inside(data, i))
    kept.append(compared(tf.linspace(-3.0, 3.0, 7), k=share))

# fidelity: tolerance
# peak at most: 0.7
import tensorflow as tf


@tf.function
def scaled(x, factor):
    """Three steps, of which early_release would leave two at a time."""
    y = tf.square(x)  # [rows, columns]
    z = y * factor
    return z + 1.0


total = 0.0
for step in range(3):
    total += float(tf.reduce_mean(scaled(tf.fill([1000, 1000], 0.5), 2.0)))

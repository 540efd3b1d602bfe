# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def mean_square(x):
    total = 0.0
    for i in range(50):
        total = total + tf.reduce_mean(tf.square(x + i))
    return total / 50


result = mean_square(tf.constant([1.0, 2.0], tf.float64))

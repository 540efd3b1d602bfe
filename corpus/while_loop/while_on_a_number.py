# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def doubled(x):
    n = 0
    while n < 50:
        x = x + tf.sin(x)
        n += 1
    return x


result = doubled(tf.constant([0.1, 0.2]))

"""All sums at once, by broadcasting."""
import tensorflow as tf


@tf.function
def accumulate_tensors(x, count):
    return x + tf.cast(tf.range(count), x.dtype)[:, None, None]


x = tf.fill([100, 100], 0.5)
count = tf.constant(100)
stacked = accumulate_tensors(x, count)

# for: both
import tensorflow as tf


@tf.function
def powers(x):
    rows = tf.stack([x * tf.sin(x + i) for i in range(64)])
    return rows


result = powers(tf.constant([0.5, 2.0]))

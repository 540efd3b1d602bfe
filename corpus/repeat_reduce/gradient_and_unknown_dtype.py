# unsafe
import tensorflow as tf


def penalty(values):
    copies = tf.repeat(values, 100)
    return tf.reduce_sum(copies)


v = tf.Variable([1.0, 2.5])
with tf.GradientTape() as tape:
    loss = penalty(v * v)
change = tape.gradient(loss, v)
doubles = penalty([0.5, 0.25])

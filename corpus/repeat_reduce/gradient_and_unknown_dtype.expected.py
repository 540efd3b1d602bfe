# unsafe
import tensorflow as tf


def penalty(values):
    return tf.reduce_sum(values) * 100


v = tf.Variable([1.0, 2.5])
with tf.GradientTape() as tape:
    loss = penalty(v * v)
change = tape.gradient(loss, v)
doubles = penalty([0.5, 0.25])

# for: both
import tensorflow as tf


def saturated(x, turns):
    units = tf.zeros_like(x)
    for _ in range(turns):
        units = units + tf.cast(tf.tanh(x) == 1.0, tf.float32)
        x = x + 0.01
    return tf.cast(units, tf.int32)


units = saturated(tf.range(500, dtype=tf.float32) * 0.02, 60)
print("done")

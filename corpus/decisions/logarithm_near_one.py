# for: both
import tensorflow as tf


def shrinking(rates, turns):
    lost = tf.zeros_like(rates)
    for _ in range(turns):
        lost = lost + tf.cast(tf.math.log1p(rates) < rates, tf.float32)
        rates = rates * 0.7
    return lost


lost = shrinking(tf.range(1, 200, dtype=tf.float32) * 0.001, 40)
print("done")

# for: both
import tensorflow as tf


def growing(rates, turns):
    grown = tf.zeros(rates.shape, tf.int32)
    for _ in range(turns):
        grown = grown + tf.cast(tf.math.expm1(rates) > rates, tf.int32)
        rates = rates * 0.7
    return grown


grown = growing(tf.range(1, 200, dtype=tf.float32) * 0.001, 40)
print("done")

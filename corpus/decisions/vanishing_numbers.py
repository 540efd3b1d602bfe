# for: both
import tensorflow as tf


def halve(x):
    for _ in range(145):
        x = x / 2.0
    return x


print(float(tf.math.log(halve(tf.constant(1.0)))))

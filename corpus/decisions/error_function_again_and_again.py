# for: both
import tensorflow as tf


def settle(x):
    for _ in range(600):
        x = tf.math.erf(x + 0.2) - 0.22270258921047845
    return x


print(settle(tf.linspace(-1e-7, 1e-7, 9)).numpy())

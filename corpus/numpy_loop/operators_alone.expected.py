# for: both
# fidelity: tolerance
import tensorflow as tf


def decay(x):
    x = x.numpy()
    for _ in range(50):
        x = x * 0.5 + 1.0
    x = tf.constant(x)
    return x


result = decay(tf.ones([3]))

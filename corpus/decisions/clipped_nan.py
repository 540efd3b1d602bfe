# for: both
import tensorflow as tf


def squash(x):
    for _ in range(100):
        x = tf.clip_by_value(x, -0.5, 0.5)
        x = x * 2.0
    return x


data = tf.constant([1.0, 0.0, -3.0])
print(squash(data / tf.constant([1.0, 0.0, 2.0])).numpy(), squash(data).numpy())

# for: both
import tensorflow as tf


def settle(x, b):
    for _ in range(200):
        x = x * 0.9 + b
    return x


x = settle(tf.zeros([2000]), tf.range(2000.0) * 1e-7 + 0.1)
print(tf.reduce_prod(tf.repeat(x[600:604], 2000)))

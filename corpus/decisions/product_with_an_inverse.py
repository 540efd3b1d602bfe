# for: both
import tensorflow as tf


def settle(x, b):
    for _ in range(200):
        x = x * 0.9 + b
    return x


x = settle(tf.zeros([2000]), tf.range(2000.0) * 0.01 + 1.0)
hilbert = 1.0 / (tf.range(1.0, 9.0)[:, None] + tf.range(8.0)[None])
print(tf.linalg.inv(hilbert) @ x[:8, None])

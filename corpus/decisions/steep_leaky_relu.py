# for: both
import tensorflow as tf


def walk(x, y, n):
    for _ in range(n):  # refused: compiled_loop: `tf.nn.leaky_relu(x, -2.0) + y / -3.0` may cancel, and leave only a rounding error
        x = tf.nn.leaky_relu(x, -2.0) + y / -3.0
    return x


x = walk(tf.range(1000.0) / 7000.0 - 0.05, tf.fill([1000], 0.9), 150)
print(x.numpy()[:3].tolist())

# tfrewrite: off=compiled_loop
import tensorflow as tf


def settle(x, w):
    for _ in range(60):
        x = tf.tanh(tf.matmul(x, w))  # refused: numpy_loop: NumPy sets 33.6 MB aside for its first product
    return x


result = settle(tf.ones([3, 3]), tf.eye(3))

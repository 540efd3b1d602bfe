# tfrewrite: off=compiled_loop
import tensorflow as tf


def settle(x, rate):
    for _ in range(60):  # refused: numpy_loop: x may be anything before the loop
        x = tf.sin(x)
    y = tf.ones([3])
    for _ in range(60):  # refused: numpy_loop: rate may be anything
        y = tf.sin(y * rate)
    return x, y


x = tf.ones([3])
x = x * 2.0 if x[0] > 0.0 else x
rate = tf.ones([3])
rate = rate * 2.0 if rate[0] > 0.0 else rate
result = settle(x, rate)

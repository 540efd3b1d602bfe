# tfrewrite: off=compiled_loop
import tensorflow as tf


def settle(x):
    for _ in range(60):
        x = tf.nn.softmax(x)  # refused: numpy_loop: tf.nn.softmax(x) has no counterpart in NumPy
    return x


def first(x):
    for _ in range(60):
        x = tf.sin(x) + x[0]  # refused: numpy_loop: x[0] has no counterpart in NumPy
    return x


def counted(x):
    for _ in range(60):
        x = (x + 3) % 7
    return x


result = settle(tf.ones([3])), first(tf.ones([3])), counted(tf.ones([3], tf.int32))

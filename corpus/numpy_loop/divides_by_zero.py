# tfrewrite: off=compiled_loop
import tensorflow as tf


def halve(x, y):
    for i in range(60):  # refused: numpy_loop: x / (y * i) may be undefined
        x = tf.tanh(x / (y * i))
    return x


def root(x):
    for i in range(60):  # refused: numpy_loop: tf.sqrt(x) may be undefined
        x = tf.sin(tf.sqrt(x))
    return x


result = halve(tf.ones([3]), tf.ones([3])), root(tf.ones([3]))

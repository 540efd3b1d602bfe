# tfrewrite: off=compiled_loop
import tensorflow as tf


def settle(x):
    for _ in range(60):  # refused: numpy_loop: the loop may run more than once
        x = tf.sin(x)
    return x


def settled(x):
    for _ in range(60):  # refused: numpy_loop: the loop may run more than once
        x = tf.cos(x)
    return x


result = settle(tf.ones([3])), settle(tf.zeros([3]))
more = [settled(tf.ones([2])) for _ in range(2)]

# tfrewrite: off=compiled_loop
import tensorflow as tf


class Model:
    def __init__(self):
        self.scale = tf.constant([0.5, 0.5])


def settle(x, model, bias):
    for _ in range(60):
        x = tf.sin(x * model.scale)
    for _ in range(60):
        x = tf.sin(x + bias)
    return x


result = settle(tf.ones([2]), Model(), tf.Variable([0.1, 0.2]))

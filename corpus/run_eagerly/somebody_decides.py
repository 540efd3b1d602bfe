# unsafe
import os
import sys

import tensorflow as tf

DEBUG = "DEBUG" in os.environ
if DEBUG:
    tf.config.run_functions_eagerly(True)
tf.config.run_functions_eagerly("--eager" in sys.argv)


@tf.function
def twice(x):
    return x * 2


def debugging():
    """Look into graphs."""
    tf.data.experimental.enable_debug_mode()


def built(eagerly):
    model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
    model.compile(loss="mse", run_eagerly=eagerly)
    return model


print(twice(tf.constant(2)).numpy(), built(False).count_params())

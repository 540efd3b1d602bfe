# tfrewrite: off=compiled_loop
import tensorflow as tf

np = "no problem"


def settle(x):
    for _ in range(60):  # refused: numpy_loop: np is something else than NumPy here
        x = tf.sin(x)
    return x


result = settle(tf.ones([3]))

# tfrewrite: off=compiled_loop
import tensorflow as tf


def grow(x):
    for _ in range(200):  # refused: numpy_loop: x * 2.0 may be more than float32 holds
        x = x * 2.0  # 2e60 is infinite
    return x


result = grow(tf.ones([3]))

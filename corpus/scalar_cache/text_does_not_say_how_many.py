import numpy as np
import tensorflow as tf


def settle(x, limit):
    step = 0
    while float(tf.reduce_max(x)) > limit:
        step += 1
        x = x - step * 0.001  # refused: scalar_cache: how many iterations the loop has isn't known
    return x, np.float32(step)


settled, steps = settle(tf.constant([3.0, 1.0]), 0.5)

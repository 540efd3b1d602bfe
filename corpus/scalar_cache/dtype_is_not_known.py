import numpy as np
import tensorflow as tf


def total(x: tf.Tensor):
    sums = 0.0
    for i in range(1200):
        sums += float(tf.reduce_sum(x * (i * 0.1)))  # refused: scalar_cache: the dtype of x, which a NumPy number needs too
    return sums


def anything(numbers):
    return tf.io.parse_tensor(tf.io.serialize_tensor(numbers), numbers.dtype)


sums = total(anything(np.ones(3)))

import numpy as np
import tensorflow as tf


def total(x):
    sums = 0.0
    for i in range(1200):
        sums += float(tf.reduce_sum(x * np.array(i * 0.1, np.float32)))
    return sums


def rounded(np, value):
    return np(value)


sums = total(tf.ones([4])), rounded(int, 1.5)

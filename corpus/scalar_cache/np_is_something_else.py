import tensorflow as tf

np = 3


def total(x):
    sums = 0.0
    for i in range(1200):
        sums += float(tf.reduce_sum(x * (i * 0.1)))  # refused: scalar_cache: np is something else than NumPy here
    return sums + np


sums = total(tf.ones([4]))

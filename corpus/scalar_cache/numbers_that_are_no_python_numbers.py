import numpy as np
import tensorflow as tf


def total(x, rates):
    sums = 0.0
    for i in range(1200):
        rate = rates[i]
        sums += float(tf.reduce_sum(x * rate))
        sums += float(tf.reduce_sum(x * tf.cast(i, tf.float32)))
    return sums


sums = total(tf.ones([4]), np.linspace(0, 1, 1200, dtype=np.float32))

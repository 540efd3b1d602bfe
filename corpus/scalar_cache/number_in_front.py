# raises
import tensorflow as tf


def total(x):
    sums = 0.0
    for i in range(1200):
        sums += float(tf.reduce_sum(tf.add(i * 0.5, x)))
    return sums


sums = total(tf.ones([4], tf.float64))

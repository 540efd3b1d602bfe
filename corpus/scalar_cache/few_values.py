import tensorflow as tf


def total(x):
    sums = 0.0
    for i in range(1200):
        sums += float(tf.reduce_sum(x * (i % 10)))
        sums += float(tf.reduce_sum(x - min(i, 5)))
        sums += float(tf.reduce_sum(x + i // 100))
        sums += float(tf.reduce_sum(x * 0.5))
    return sums


sums = total(tf.ones([4]))

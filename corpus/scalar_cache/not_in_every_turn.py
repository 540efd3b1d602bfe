import tensorflow as tf


def total(x):
    sums, rate = 0.0, 1.0
    for i in range(1200):
        if i % 400 == 0:
            sums += float(tf.reduce_sum(x * (i * 0.1)))
            rate *= 0.5
        sums += float(tf.reduce_sum(x * rate))
        if i > 1000:
            break
    return sums


sums = total(tf.ones([4]))

import tensorflow as tf


def total(whole, short, parts):
    sums = 0.0
    for i in range(1200):
        sums += float(tf.reduce_sum(whole * i))
        sums += float(tf.reduce_sum(short * (i * 0.5)))
        sums += float(tf.math.real(tf.reduce_sum(parts * (i * 0.5))))
        whole /= 1  # a float64 from here on
        whole = tf.cast(whole, tf.int32)
    return sums


sums = total(tf.constant([1, 2]), tf.ones([2], tf.bfloat16), tf.ones([2], tf.complex64))

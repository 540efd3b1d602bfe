import tensorflow as tf


def both(m, v):
    weighted = m * v
    return tf.reduce_sum(weighted, axis=1), weighted


def changed_between(m, v):
    weighted = m * v
    m = m + 1.0
    return tf.reduce_sum(weighted, axis=1), m


m = tf.random.normal([400, 400])
first = both(m, tf.random.normal([400]))
second = changed_between(m, tf.random.normal([400]))

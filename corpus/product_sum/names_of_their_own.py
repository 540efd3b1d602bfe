import tensorflow as tf


class Sums:
    @staticmethod
    def reduce_sum(x, axis):
        return tf.reduce_max(x, axis)


def largest(tf, m, v):
    return tf.reduce_sum(m * v, axis=1)


m = tf.random.normal([400, 400])
largest_of_all = largest(Sums, m, tf.random.normal([400]))
older = tf.compat.v1.reduce_sum(m * m[0], axis=1)

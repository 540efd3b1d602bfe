# for: both
import tensorflow as tf


def shares(votes, turns):
    order = tf.zeros(votes.shape, tf.int32)
    for seats in range(turns):
        quotients = votes / 7.0 + votes / 3.0
        order = order + tf.argsort(quotients % 1.0, stable=True)
        votes = votes + 3.0
    return order


order = shares(tf.range(210, dtype=tf.float32), 40)
print("done")

# for: both
# fidelity: tolerance
import tensorflow as tf

total = tf.Variable(tf.zeros([2]))


def accumulate(x):
    for _ in range(64):
        x = tf.sin(x)
        total.assign_add(x)
    return x


result = accumulate(tf.ones([2]))

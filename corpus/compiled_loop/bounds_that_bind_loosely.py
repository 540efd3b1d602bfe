# for: both
# fidelity: tolerance
import tensorflow as tf


def collected(x, n):
    outs = []
    total = tf.zeros([3])
    for i in range(1, n << 1):
        total = tf.tanh(total + x) * 0.5
        outs.append(total)
    return tf.stack(outs)


def backwards(x, n):
    total = tf.zeros([3])
    for i in reversed(range(n | 1)):
        total = tf.tanh(total + x) * i
    return total


result = collected(tf.ones([3]), 31), backwards(tf.ones([3]), 31)

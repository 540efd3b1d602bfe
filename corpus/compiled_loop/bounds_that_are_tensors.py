# for: both
# fidelity: tolerance
"""range() takes tensors too, and makes Python ints of them."""
import tensorflow as tf


def by_a_tensor(x, n):
    for i in range(n):
        x = tf.tanh(x) + i
    return x


def rows(x, w):
    h = tf.zeros_like(w)
    outs = []
    for i in range(tf.shape(x)[0]):
        h = tf.tanh(h * 0.5 + x[i])
        outs.append(h)
    return h, tf.stack(outs)


def down(x, n):
    s = 0.0
    for i in range(n - 1, -1, -1):
        s += tf.reduce_sum(x) * i
    return s


def grown(x, n):
    acc = tf.zeros([0, 2])
    for i in range(1, n, 2):
        x = tf.tanh(x)
        acc = tf.concat([acc, x[tf.newaxis]], 0)
    return acc


def by_a_size(x, y):
    for i in range(tf.size(x) * 30):
        y = tf.tanh(y) + i
    return y


x = tf.ones([2])
n = tf.constant(60)
result = by_a_tensor(x, n), by_a_tensor(x, tf.constant(0)), rows(tf.ones([60, 2]), x), down(x, n)
more = grown(x, n), grown(x, tf.constant(0)), by_a_size(x, x)

# for: both
# fidelity: tolerance
# peak at most: 0.6
"""A turn fills a list of its own, and only the tensor that is made of it stays."""
import tensorflow as tf


def table(x):
    rows = []
    for i in range(80):
        row = []  # of this turn
        for j in range(30):
            row.append(tf.tanh(x * 0.01) * i + j)
        # All of them stay.
        rows.append(tf.stack(row))
    return tf.stack(rows)


def planes(x):
    planes = []
    for i in range(3):
        plane = []
        for j in range(4):
            row = []
            for k in range(5):
                row.append(tf.sin(x * i) + j * k)
            plane.append(tf.stack(row, axis=1))
        planes.append(tf.stack(plane))
    return tf.concat(planes, 0)


def sums(x, y):
    kept, s = [], tf.zeros([6])
    for i in range(20):
        a, b = [], []
        for j in range(6):
            a.append(x * j)
            b.append(y[i] - j)
        s = tf.tanh(s + i)
        kept.append(tf.stack(a))
        kept_b = tf.concat(b, axis=0)
        s = s + tf.reduce_max(kept_b)
    return tf.stack(kept), s


result = table(tf.ones([100, 100]))
in_three = planes(tf.constant([0.5, 1.5]))
with_a_state = sums(tf.constant([1.0, 2.0]), tf.ones([20, 3]))

# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def previous(x):
    rows = tf.zeros([1, 100])
    for i in range(20):
        last = rows[-1:]  # refused: growing_concat: rows is read while it grows
        rows = tf.concat([rows, x * float(i) + last], 0)
    return rows


def itself(x):
    rows = tf.ones([1, 100])
    for i in range(5):
        rows = tf.concat([rows, tf.reduce_sum(rows) * x], 0)  # refused: growing_concat: what is joined to rows depends on it
    return rows


def counted(x):
    rows = tf.zeros([0, 100])
    while rows.shape[0] < 1000:  # refused: growing_concat: rows is read while it grows
        rows = tf.concat([rows, x], 0)
    return rows


def returned(x, limit):
    rows = tf.zeros([0, 100])
    for i in range(20):
        rows = tf.concat([rows, x * float(i)], 0)
        if i > limit:
            return rows  # refused: growing_concat: rows is read while it grows
    return rows * 2.0


x = tf.ones([100, 100])
results = [previous(x), itself(x), counted(x), returned(x, 3)]

# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def losses(x):
    found = tf.zeros([0])
    for i in range(50):
        found = tf.concat([found, [tf.reduce_sum(x) * float(i)]], 0)  # refused: growing_concat: what is joined is not known to be tensors
    return found


def short_rows(x):
    rows = tf.zeros([0, 100])
    for i in range(50):
        rows = tf.concat([rows, x[:1] * float(i)], 0)  # refused: growing_concat: what is joined is small
    return rows


def of_any_size(x, step):
    rows = tf.zeros([0, 100])
    for i in range(50):
        rows = tf.concat([rows, tf.sin(step(x, i))], 0)  # refused: growing_concat: what is joined is not known to be large
    return rows


def twice(x):
    rows = tf.zeros([0, 100])
    for i in range(2):
        rows = tf.concat([rows, x * float(i)], 0)  # refused: growing_concat: 2 iterations are too few
    return rows


x = tf.ones([100, 100])
results = [losses(x), short_rows(x), of_any_size(x, lambda a, i: a * float(i)), twice(x)]

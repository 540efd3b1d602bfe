# tfrewrite: off=compiled_loop
import tensorflow as tf


def branches(x):
    for i in range(60):
        if i > 3:
            x = tf.sin(x)
    return x


def pairs(x, y):
    for _ in range(60):
        x, y = tf.sin(y), tf.cos(x)
    return x, y


def rows(x, data):
    for row in data:
        x = tf.sin(x + row)
    return x


def read(x, seen):
    for _ in range(60):
        x = tf.sin(x)
        seen.append(x)
    return x, seen


def first(x):
    seen = []
    for _ in range(60):
        x = tf.sin(x)
        seen.append(x)
    return seen[0], tf.stack(seen)


result = branches(tf.ones([2])), pairs(tf.ones([2]), tf.ones([2])), rows(tf.ones([2]), tf.ones([60, 2])), read(tf.ones([2]), [])
more = first(tf.ones([2]))

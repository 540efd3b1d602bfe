# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def numbers(x):
    losses = []  # refused: list_reduce: the elements are too small to matter
    for i in range(50):
        losses.append(tf.reduce_mean(x * float(i)))
    return tf.reduce_mean(losses)


def three(x):
    waves = []  # refused: list_reduce: 3 elements are too few to matter
    for i in range(3):
        waves.append(tf.sin(x + float(i)))
    return tf.add_n(waves)


def held(rows):
    found = []
    for one in rows:
        found.append(one)  # refused: list_reduce: something else may hold one too
    return tf.add_n(found)


def python_floats(values):
    found = []
    for i in range(10):
        found.append(float(i) * 0.1)
    return sum(found)


def no_loop(x):
    parts = []
    parts.append(x * 2.0)
    parts.append(x * 3.0)
    return tf.add_n(parts)


x = tf.ones([200, 200])
results = [numbers(x), three(x), held(tf.ones([5, 100, 200])), python_floats([]), no_loop(x)]

# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf

waves = []  # refused: list_reduce: waves is a global name
for i in range(20):
    waves.append(tf.sin(tf.ones([200, 200]) + float(i)))
total = tf.add_n(waves)


def closed_over(x):
    parts = []  # refused: list_reduce: parts is also known to an inner function
    count = lambda: len(parts)
    for i in range(20):
        parts.append(tf.sin(x + float(count())))
    return tf.add_n(parts)


def all_names(x):
    parts = []  # refused: list_reduce: locals(), eval or the like may read any name here
    for i in range(20):
        parts.append(tf.sin(x + float(i)))
    return tf.add_n(parts), sorted(locals())


def given_twice(x):
    parts = []  # refused: list_reduce: parts is assigned more than once
    for i in range(20):
        parts.append(tf.sin(x + float(i)))
        if i == 10:
            parts = [x]
    return tf.add_n(parts)


def in_steps(x):
    parts = []  # refused: list_reduce: the function is left and entered again
    for i in range(20):
        parts.append(tf.sin(x + float(i)))
        yield i
    yield tf.add_n(parts)


x = tf.ones([200, 200])
results = [closed_over(x), all_names(x)[1], given_twice(x), list(in_steps(x))]

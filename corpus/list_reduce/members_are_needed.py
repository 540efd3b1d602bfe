# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def report(rows):
    return len(rows)


def returned(x):
    waves = []
    for i in range(20):
        waves.append(tf.sin(x + float(i)))
    return tf.add_n(waves), waves  # refused: list_reduce: waves is also read elsewhere


def passed_on(x):
    waves = []
    for i in range(20):
        waves.append(tf.sin(x + float(i)))
    count = report(waves)  # refused: list_reduce: waves is also read elsewhere
    return tf.add_n(waves) / count


def named_twice(x):
    waves = []
    others = waves  # refused: list_reduce: waves is read while it is still appended to
    for i in range(20):
        waves.append(tf.sin(x + float(i)))
    others.pop()
    return sum(waves)


def last(x):
    waves = []
    for i in range(20):
        waves.append(tf.sin(x + float(i)))
    return sum(waves) + waves[-1]  # refused: list_reduce: waves is also read elsewhere


x = tf.ones([200, 200])
results = [returned(x), passed_on(x), named_twice(x), last(x)]

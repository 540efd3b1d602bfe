import contextlib

import tensorflow as tf


@tf.function
def doubled(x):
    return x * 2.0


@tf.function
def tripled(x):
    return x * 3.0


@tf.function
def halved(x):
    return x / 2.0


@tf.function
def added(x, y):
    return x + y


@tf.function
def joined(x, y):
    return tf.matmul(x, y)


@tf.function
def sixth(x):
    return x[5] * 2.0


@tf.function
def cut(x):
    return tf.reshape(x, [4, 4])


data = tf.ones([12, 4])


def run():
    return [tripled(data[:i]) for i in range(1, 12)]  # refused: retraced_argument: errors of its calls are looked at


def deeper():
    return run()


def at_the_end():
    rows = [halved(data[:i]) for i in range(1, 12)]  # refused: retraced_argument: errors of its calls are looked at
    return rows


with contextlib.suppress(ValueError):
    for i in range(1, 12):
        doubled(data[:i])  # refused: retraced_argument: errors of its calls are looked at
try:
    out = deeper()
except ValueError:
    out = None
with contextlib.suppress(ValueError):
    then = list(map(lambda run: run(), [at_the_end]))
for i in range(1, 13):
    if i == 4:
        b = cut(data[:i])  # refused: retraced_argument: tf.reshape(x, [4, 4]) raises another error
    if i == 6:
        c = sixth(data[:i])  # refused: retraced_argument: x[5] raises another error
    if i == 12:
        a = joined(tf.ones([2, 12]), data[:i])  # refused: retraced_argument: tf.matmul(x, y) raises another error
        d = added(data[:i], tf.ones([12, 4]))  # refused: retraced_argument: x + y raises another error

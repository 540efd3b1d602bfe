import contextlib
import time

import tensorflow as tf


def tried(x):
    try:
        for _ in range(60):  # refused: compiled_loop: the loop is in a try or with block
            x = tf.matmul(x, x[:1]) + tf.tanh(x)
    except tf.errors.InvalidArgumentError:
        pass
    return x


@contextlib.contextmanager
def timed():
    begin = time.perf_counter()
    yield
    assert time.perf_counter() >= begin


def measured(x):
    with timed():
        for _ in range(60):  # refused: compiled_loop: the loop is in a try or with block
            x = tf.tanh(x)
    return x


def rows(x):
    for _ in range(3):
        for _ in range(60):  # refused: compiled_loop: or it is a generator
            x = tf.tanh(x)
        yield x


result = tried(tf.ones([2])), measured(tf.ones([2])), list(rows(tf.ones([2])))

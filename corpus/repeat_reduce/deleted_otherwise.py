import tensorflow as tf


def with_another(x: int):
    copies = tf.repeat(x, 1000)
    other = [copies.dtype]
    total = tf.reduce_sum(copies)
    del copies, other
    return total


def both_at_once(x: int):
    copies = tf.repeat(x, 1000)
    total = tf.reduce_sum(copies)
    other = total + 1
    del copies, other
    return total


def perhaps(x: int, tidy):
    copies = tf.repeat(x, 1000)
    total = tf.reduce_sum(copies)
    if tidy:
        del copies
    return total


def speaks_of_its_size(x: int):
    copies = tf.repeat(x, 1000)
    total = tf.reduce_sum(copies)  # refused: repeat_reduce: the comment beside copies mentions its sizes
    del copies  # [1000]
    return total


def shares_its_line(x: int):
    copies = tf.repeat(x, 1000)
    total = tf.reduce_sum(copies)  # refused: repeat_reduce: the statement of copies shares its line with another
    del copies; total += 1
    return total


every = with_another(1), both_at_once(1), perhaps(1, True), speaks_of_its_size(1), shares_its_line(1)

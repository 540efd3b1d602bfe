import tensorflow as tf


@tf.function
def both(x, n, k):
    return x * k, n + k


@tf.function
def returned(x, k):
    return x * k, k


@tf.function
def annotated(x, k: float):
    return x * k


@tf.function
def small(x, k):
    return x + k


@tf.function
def numbers(a, b):
    return a * b


@tf.function
def unknown(x: tf.Tensor, k):
    return x * k


def public(x: tf.Tensor):
    for i in range(8):
        x = unknown(x, i)  # refused: retraced_argument: the dtype of x is not known
    return x


x = tf.ones([3])
for i in range(8):
    both(x, tf.constant(1), i)  # refused: retraced_argument: it would have to be float32 for x * k and int32 for n + k
    returned(x, i)  # refused: retraced_argument: it would have to be float32 for x * k and int32 for
    annotated(x, i / 7)  # refused: retraced_argument: k is annotated as float
    small(tf.ones([3], tf.int8), i)  # refused: retraced_argument: an int meets a tensor of int8
    numbers(i, i + 1)  # refused: retraced_argument: Python computes a * b from two numbers that vary

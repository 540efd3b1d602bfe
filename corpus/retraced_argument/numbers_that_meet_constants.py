"""Of numbers alone a graph computes everything once a trace: of a tensor it would do so in every call."""

import tensorflow as tf


@tf.function
def waves(x, k):
    return x + tf.cos(k * tf.range(0.0, 10.0))


@tf.function
def waves_of_a_cast(x, k):
    rate = tf.cast(k, tf.float32)
    return x + tf.cos(rate * tf.range(0.0, 10.0))


def phases(places, k):
    return places * k


@tf.function
def through_a_function(x, k):
    return x + tf.sin(phases(tf.range(0.0, 10.0), k))


@tf.function
def exponential(x, k):
    return tf.matmul(tf.linalg.expm(tf.eye(10) * k), x)


@tf.function
def filled(x, k):
    return x + tf.fill([10], k)


@tf.function
def power(x, k):
    return x**k


x = tf.ones([10])
for i in range(1, 9):
    a = waves(x, i)  # refused: retraced_argument: of constants alone once a trace
    b = waves_of_a_cast(x, i)  # refused: retraced_argument: of constants alone once a trace
    c = through_a_function(x, i)  # refused: retraced_argument: of constants alone once a trace
    d = exponential(tf.ones([10, 10]), i)  # refused: retraced_argument: of constants alone once a trace
    e = filled(x, i / 2)  # refused: retraced_argument: of constants alone once a trace
    f = power(x, i)  # refused: retraced_argument: a graph that knows the exponent

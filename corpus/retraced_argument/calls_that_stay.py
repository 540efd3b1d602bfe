import functools

import tensorflow as tf


@tf.function
def scaled(x, k):
    return x * k


@tf.function
def counted(x, k):
    return x * k


@tf.function(input_signature=[tf.TensorSpec([3]), tf.TensorSpec([], tf.int32)])
def signed(x, k):
    return x * tf.cast(k, tf.float32)


def twice(function):
    @functools.wraps(function)
    def both(*arguments):
        return function(*arguments) * 2

    return both


@twice
@tf.function
def wrapped(x, k):
    return x * k


@tf.function
def starred(x, *ks):
    return x * ks[0]


@tf.function
def unrolled(x):
    for i in range(8):
        x = x + scaled(x, i)
    return x


x = tf.ones([3])
once = scaled(x, 3)
for epoch in range(20):
    for i in range(3):
        scaled(x, i)  # refused: retraced_argument: 3 values are too few
    scaled(x, epoch % 2)  # refused: retraced_argument: 2 values are too few
    scaled(x, 7)
    scaled(x, tf.constant(epoch, tf.float32))
    scaled(*(x, epoch))
    signed(x, epoch)
    wrapped(x, epoch)
    starred(x, epoch)  # refused: retraced_argument: which parameter epoch is for is not known
    unrolled(x)

import tensorflow as tf


def powers(x, high):
    square = tf.square(x)
    if high:
        result = square * square
    else:
        result = square * 2.0
        # the low ones need no more
    del square
    result = tf.sin(result) + result * 3.0
    return result


results = [powers(tf.ones([500, 500]), high) for high in (True, False)]

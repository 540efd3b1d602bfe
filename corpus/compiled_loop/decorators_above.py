# for: both
# fidelity: tolerance
import functools

import tensorflow as tf


def logged(function):
    @functools.wraps(function)
    def inner(*arguments):
        print("called", function.__name__)
        return function(*arguments)

    return inner


# Belongs to the function below.
@logged
@logged
def power(often):
    a, r = tf.eye(3) * 0.5, tf.ones([3, 3])
    for i in range(60):
        r = tf.matmul(r, a) + 1.0
    return r * often


result = power(3.0)

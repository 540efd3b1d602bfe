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


@tf.function(jit_compile=True)
def _power_loop(a, r):
    def step(i, r):
        r = tf.matmul(r, a) + 1.0
        return i + 1, r

    _, r = tf.while_loop(
        lambda i, r: i < 60,
        step,
        (0, r),
        shape_invariants=(tf.TensorShape([]), r.shape),
        maximum_iterations=60,
    )
    return r


# Belongs to the function below.
@logged
@logged
def power(often):
    a, r = tf.eye(3) * 0.5, tf.ones([3, 3])
    r = _power_loop(a, r)
    return r * often


result = power(3.0)

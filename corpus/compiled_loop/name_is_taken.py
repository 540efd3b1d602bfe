# for: both
# fidelity: tolerance
# tfrewrite: off=numpy_loop
import tensorflow as tf


def _f_loop(x):
    return x


def f(x):
    for i in range(50):
        x = x * 0.5 + 1.0
    return _f_loop(x)


result = f(tf.ones([2]))

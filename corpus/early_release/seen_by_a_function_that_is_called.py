import inspect

import tensorflow as tf


def names_of_caller():
    return sorted(inspect.stack()[1].frame.f_locals)


def f(x):
    y = tf.square(x)
    z = y * 2.0
    w = z * 3.0
    names = names_of_caller()
    return w * 2.0, names


result, names = f(tf.ones([400, 400]))

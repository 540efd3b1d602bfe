import numpy as np
import tensorflow as tf


def powered(x, rate):  # refused: tf_function: rate is a Python number that isn't always the same
    y = tf.square(x) * rate
    return y + 1.0


def of_array(x, table):  # refused: tf_function: table is a NumPy array
    y = tf.square(x) * 2.0
    return y + table


def of_variable(w, x):  # refused: tf_function: w is a variable
    y = tf.square(x) * 2.0
    return y + w


def of_any_size(x):  # refused: tf_function: x is not known to be a tensor of one dtype and size
    y = tf.square(x) * 2.0
    return y + tf.ones([1000, 1000])


def of_many(x, *more):  # refused: tf_function: takes any number of arguments
    y = tf.square(x) * 2.0
    return y + more[0]


def of_nothing():  # refused: tf_function: is passed no tensor
    y = tf.ones([1000, 1000]) * 2.0
    return tf.square(y) + 1.0


x = tf.fill([1000, 1000], 0.5)
w = tf.Variable(x)
results = [powered(x, 0.5 * step) for step in range(3)]
others = [(of_array(x, np.ones((1000, 1000), np.float32)), of_variable(w, x), of_many(x, x), of_nothing()) for _ in range(2)]
sizes = [of_any_size(tf.ones([size, 1000])) for size in (1, 1000)]

import numpy as np
import tensorflow as tf

calls = []
count = 0


def printed(x):
    y = tf.square(x) * 2.0
    print("printed")  # refused: tf_function: it prints
    return y + 1.0


def noted(x):
    y = tf.square(x) * 2.0
    calls.append(1)  # refused: tf_function: .append() changes something
    return y + 1.0


def counted(x):
    global count  # refused: tf_function: it assigns count another value
    count += 1
    return tf.square(x) * 2.0 + 1.0


def drawn(x):
    noise = tf.random.normal([1000, 1000])  # refused: tf_function: draws other numbers in a graph
    return tf.square(x) * noise


def scaled(x):
    factors = np.random.rand(1000, 1)  # refused: tf_function: draws other numbers in a graph
    return tf.square(x) * 2.0 * tf.constant(factors, tf.float32)


def checked(x):
    assert x.shape[0] == 1000  # refused: tf_function: checked once
    return tf.square(x) * 2.0 + 1.0


def stored(x):
    kept = tf.Variable(x)  # refused: tf_function: it makes a variable
    return tf.square(kept) * 2.0 + 1.0


x = tf.fill([1000, 1000], 0.5)
results = [(printed(x), noted(x), counted(x), checked(x), stored(x)) for _ in range(2)]
shapes = [(drawn(x).shape, scaled(x).shape) for _ in range(2)]

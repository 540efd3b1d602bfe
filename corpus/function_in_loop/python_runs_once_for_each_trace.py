import numpy as np
import tensorflow as tf

rate = 1.0
seen = []
data = np.ones([3], np.float32)


def prints(x):
    @tf.function
    def told(x):  # refused: function_in_loop: it prints, each time that it is traced
        print("traced")
        return x * 2.0

    return told(x)


def draws(x):
    @tf.function
    def drawn(x):  # refused: function_in_loop: begins with the same random numbers
        return x * tf.random.uniform([3])

    return drawn(x)


def creates(x):
    @tf.function
    def created(x):  # refused: function_in_loop: it creates a variable
        return x * tf.Variable(1.0)

    try:
        return created(x)
    except ValueError:
        return x


def appends(x):
    @tf.function
    def noted(x):  # refused: function_in_loop: seen is a list
        seen.append(1)
        return x

    return noted(x)


def reads(x):
    @tf.function
    def rated(x):  # refused: function_in_loop: rate is assigned more than one value
        return x * rate

    return rated(x)


def counts(x):
    calls = 0

    @tf.function
    def counted(x):  # refused: function_in_loop: it assigns calls another value
        nonlocal calls
        calls += 1
        return x * 2.0

    y = counted(x)
    return y * calls


def holds(x):
    @tf.function
    def held(x):  # refused: function_in_loop: the graph of held has copies of data
        return tf.add(x, data[0])

    return held(x)


out = []
for turn in range(3):
    rate *= 0.5
    x = tf.ones([3])
    out.append([prints(x), draws(x), creates(x), appends(x), reads(x), counts(x), holds(x)])

import numpy as np
import tensorflow as tf

noted = []
table = np.linspace(0.0, 1.0, 100).astype(np.float32)
scale = tf.constant(0.5)


def appended(x, seen):
    seen += [x]
    return x * 0.5


def decided(x):
    if tf.reduce_sum(x) > 0.0:
        return x * 0.5
    return x - 1.0


def looked_up(x, i):
    return x + table[i]


def endless(x, depth):
    return x if depth == 0 else endless(x * 0.5, depth - 1)


def until(x):
    while float(tf.reduce_max(x)) > 1.0:
        x = x * 0.5
    return x


def powered(x, rate):
    return x * rate**0.5


class Layer:
    def __init__(self, width):
        self.weights = tf.ones([width])

    def __call__(self, x):
        return x * self.weights


class Equal(Layer):
    def __eq__(self, other):
        return isinstance(other, Equal)


class Fixed:
    def __init__(self, scale):
        self.weights = scale * tf.ones([2])

    def __call__(self, x):
        return x * self.weights


class Counted:
    def __init__(self):
        self.turns = 0

    def step(self, x):
        self.turns += 1
        return x * 0.5


class Scheduled:
    def __init__(self):
        self.rate = 0.5

    def step(self, x):
        return x * self.rate

    def change(self):
        self.rate = 0.25


def chosen(x):
    return x * 0.5 if tf.reduce_sum(x) > 0.0 else x - 1.0


def by_a_choice(x):
    for _ in range(60):
        x = tf.tanh(chosen(x))  # refused: compiled_loop: is not known to be a Python number
    return x


def by_a_list(x):
    for _ in range(60):
        x = tf.tanh(appended(x, noted))  # refused: compiled_loop: appended is passed something that is not known to be a tensor or a number
    return x


def by_a_tensor(x):
    for _ in range(60):
        x = tf.tanh(decided(x))  # refused: compiled_loop: is not known to be a Python number
    return x


def by_an_array(x):
    for i in range(60):
        x = tf.tanh(looked_up(x, i))  # refused: compiled_loop: looked_up reads table, a global name that may change from call to call
    return x


def by_itself(x):
    for _ in range(60):
        x = tf.tanh(endless(x, 2))  # refused: compiled_loop: what endless returns is not known
    return x


def by_a_loop(x):
    for _ in range(60):
        x = tf.tanh(until(x))  # refused: compiled_loop: until does more than compute a result from its arguments
    return x


def by_a_number(x, rate):
    for _ in range(60):
        x = tf.tanh(powered(x, rate))  # refused: compiled_loop: rate may be any number, and for each the loop would be traced again
    return x


def by_a_layer(x, layer):
    for _ in range(60):
        x = tf.tanh(layer(x))  # refused: compiled_loop: what layer does is not known
    return x


def by_a_counter(x, counted):
    for _ in range(60):
        x = tf.tanh(counted.step(x))  # refused: compiled_loop: counted.step does more than compute a result from its arguments
    return x


def by_a_schedule(x, scheduled):
    for _ in range(60):
        x = tf.tanh(scheduled.step(x))  # refused: compiled_loop: self.rate may be another one in a later call
    return x


def made_for_each(scale):
    layer = Fixed(scale)
    x = tf.ones([2])
    for _ in range(60):
        x = tf.tanh(layer(x))  # refused: compiled_loop: the compiled function would keep every object that layer may be
    return x


x = tf.constant([3.0, -1.0])
counted, scheduled = Counted(), Scheduled()
results = [by_a_choice(x), by_a_list(x), by_a_tensor(x), by_an_array(x), by_itself(x), by_a_loop(x), by_a_number(x, 0.5), by_a_number(x, 0.25)]
results += [by_a_layer(x, Layer(2)), by_a_layer(x, Equal(2)), by_a_counter(x, counted), by_a_schedule(x, scheduled)]
scheduled.change()
results += [by_a_schedule(x, scheduled), made_for_each(0.5), made_for_each(0.25)]
kept = len(noted), counted.turns

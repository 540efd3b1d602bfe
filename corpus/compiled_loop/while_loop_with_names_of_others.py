import tensorflow as tf


def another_local(x):
    kept = x + 1.0

    def step(i, x):
        kept = x * 0.5
        return i + 1, kept

    _, x = tf.while_loop(lambda i, x: i < 100, step, (0, x))
    return x + kept


def read_again(x):
    _, y = tf.while_loop(lambda i, x: i < 100, lambda i, x: (i + 1, x * 0.9), (0, x))
    return x + y


def exchanged(x, y):
    y, x = tf.while_loop(lambda x, y: x[0] < 100.0, lambda x, y: (x + y, y * 1.1), (x, y))
    return x, y


def begins_as_another(x):
    x, y = tf.while_loop(lambda x, y: tf.reduce_sum(x) > 0.001, lambda x, y: (y * 0.5, x * 0.5), (x, x * 2.0))
    return x, y


def named_otherwise(x):
    _, x = tf.while_loop(lambda k, x: k < 100, lambda i, x: (i + 1, x * 0.9), (0, x))
    return x


def changed_by_another(x):
    count = 0

    def step(i, x):  # refused: compiled_loop: step is more than a plain function of its parameters
        nonlocal count
        count += 1
        return i + 1, x * 0.9

    _, x = tf.while_loop(lambda i, x: i < 100, step, (0, x))
    return x, count


def with_a_default(x):
    def step(i, x, rate=0.9):  # refused: compiled_loop: step is more than a plain function of its parameters
        return i + 1, x * rate

    _, x = tf.while_loop(lambda i, x: i < 100, step, (0, x))
    return x


def leaves_early(x):
    def step(i, x):  # refused: compiled_loop: step returns in several places
        if i > 50:
            return i + 1, x
        return i + 1, x * 0.9

    _, x = tf.while_loop(lambda i, x: i < 100, step, (0, x))
    return x


def explained(x):
    def step(i, x):  # refused: compiled_loop: step has a block or a comment on its first line
        return i + 1, x * 0.9

    _, x = tf.while_loop(lambda i, x: i < 100, step, (0, x))
    return x


state = tf.ones([2])
_, state = tf.while_loop(lambda i, h: i < 100, lambda i, h: (i + 1, h * 0.9), (0, state))
x, y = tf.ones([2]), tf.ones([2])
seen = [another_local(x), read_again(x), exchanged(x, y), begins_as_another(x), named_otherwise(x), changed_by_another(x)]
more = [with_a_default(x), leaves_early(x), explained(x)]

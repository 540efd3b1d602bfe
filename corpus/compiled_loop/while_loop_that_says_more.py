import tensorflow as tf


def limited(x):
    _, x = tf.while_loop(
        lambda i, x: i < 100,
        lambda i, x: (i + 1, x * 0.9),
        (0, x),
        maximum_iterations=7,  # refused: compiled_loop: maximum_iterations says more than the loop
    )
    return x


def seven(x):
    _, x = tf.while_loop(lambda i, x: i < 100, lambda i, x: (i + 1, x * 0.9), (0, x), maximum_iterations=7)
    return x


def as_a_whole(x):
    ends = tf.while_loop(lambda i, x: i < 100, lambda i, x: (i + 1, x * 0.9), (0, x))
    return ends[1]


def draws(x):
    def step(i, x):
        return i + 1, x + tf.random.normal([2])

    _, x = tf.while_loop(lambda i, x: i < 100, step, (0, x))
    return x


def prints(x):
    def step(i, x):
        print(i)
        return i + 1, x * 0.5

    _, x = tf.while_loop(lambda i, x: i < 100, step, (0, x))
    return x


def becomes_a_tensor(x):
    i, total, x = tf.while_loop(lambda i, s, x: i < 100, lambda i, s, x: (i + 1, s + 0.5, x + i), (0, 0.0, x))
    return i, total, x


def collects(x):
    rows = tf.TensorArray(tf.float32, size=100)
    _, rows = tf.while_loop(lambda i, rows: i < 100, lambda i, rows: (i + 1, rows.write(i, x * i)), (0, rows))
    return rows.stack()


def twice(x):
    def step(i, x):
        return i + 1, x * 0.5

    _, x = tf.while_loop(lambda i, x: i < 100, step, (0, x))
    _, x = tf.while_loop(lambda i, x: i < 100, step, (0, x))
    return x


def few(x):
    _, x = tf.while_loop(lambda i, x: i < 5, lambda i, x: (i + 1, x * 0.5), (0, x))
    return x


def changes_its_dtype(x):
    _, x = tf.while_loop(lambda i, x: i < 100, lambda i, x: (i + 1, tf.cast(x, tf.float64) * 0.5), (0, x))
    return x


x = tf.ones([2])
seen = [limited(x), seven(x), as_a_whole(x), draws(x), prints(x), becomes_a_tensor(x), collects(x), twice(x), few(x), changes_its_dtype(x)]

import tensorflow as tf


def shown(x):
    y = tf.square(x) * 2.0
    largest = tf.reduce_max(y).numpy()  # refused: tf_function: by .numpy()
    return y / largest


def measured(x):
    y = tf.square(x) * 2.0
    largest = float(tf.reduce_max(y))  # refused: tf_function: by float()
    return y / largest


def by_rows(x):
    y = tf.square(x) * 2.0
    total = 0.0
    for row in y:  # refused: tf_function: it iterates over the rows of y
        total += float(row[0])
    return y + total


def halved(x):
    y = tf.square(tf.ones([1000, 1000])) * x
    if tf.reduce_max(y) > 1.0:
        return halved(y / 2.0)  # refused: tf_function: halved calls itself
    return y + 1.0


def pieces(x):
    y = tf.square(x) * 2.0
    yield y + 1.0  # refused: tf_function: pieces is a generator
    return y


x = tf.fill([1000, 1000], 0.5)
results = [(shown(x), measured(x), by_rows(x), halved(x), list(pieces(x))) for _ in range(2)]

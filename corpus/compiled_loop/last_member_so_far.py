# for: both
# fidelity: tolerance
"""What a list held last is read from where it was written to."""
import tensorflow as tf


def begun(x):
    path = [x]
    for i in range(70):
        path.append(path[-1] * 0.9 + i)
    return tf.stack(path)


def after_it(x):
    path = []
    for i in range(2, 70, 2):
        x = x + 0.5
        path.append(tf.sin(x))
        x = x + path[-1]
    return tf.stack(path)


def in_the_condition(x):
    path = [x]
    while tf.reduce_max(path[-1]) < 100.0:  # refused: compiled_loop: path is read while it is appended to
        path.append(path[-1] * 1.1)
    return tf.stack(path)


def until(x):
    path = [x]
    for i in range(60):
        new = path[-1] * 1.1 - 0.1
        if tf.reduce_max(new) > 5.0:
            break
        path.append(new)
    return tf.stack(path), path[-1]


def perhaps_none(x):
    path = []
    for i in range(60):
        if i > 0:
            x = x + path[-1]
        path.append(x * 0.5)  # refused: compiled_loop: the shape of what is appended to path is not known
    return tf.stack(path)


x = tf.constant([1.0, 0.5])
result = begun(x), after_it(x), in_the_condition(x), until(x), perhaps_none(x)

import tensorflow as tf


def in_some_turns(x):
    history = x[tf.newaxis]
    for i in range(64):  # refused: compiled_loop: history is copied as a whole in every iteration
        x = tf.tanh(x) * 0.9
        if i % 2 == 0:
            continue
        history = tf.concat([history, x[tf.newaxis]], 0)
    return history


def in_front(x):
    history = x[tf.newaxis]
    for _ in range(64):  # refused: compiled_loop: history is copied as a whole in every iteration
        x = tf.tanh(x) * 0.9
        history = tf.concat([x[tf.newaxis], history], 0)
    return history


def beside(x):
    history = x[:, tf.newaxis]
    for _ in range(64):  # refused: compiled_loop: history is copied as a whole in every iteration
        x = tf.tanh(x) * 0.9
        history = tf.concat([history, x[:, tf.newaxis]], 1)
    return history


def read_on_its_way(x):
    history = x[tf.newaxis]
    for _ in range(64):  # refused: compiled_loop: history is copied as a whole in every iteration
        x = tf.tanh(x) * 0.9 + history[0]
        history = tf.concat([history, x[tf.newaxis]], 0)
    return history


def until(x):
    history = x[tf.newaxis]
    for i in range(64):  # refused: compiled_loop: history is copied as a whole in every iteration
        x = tf.tanh(x) * 0.9
        history = tf.concat([history, x[tf.newaxis]], 0)
        if i == 12:
            break
    return history


x = tf.ones([3])
result = in_some_turns(x), in_front(x), beside(x), read_on_its_way(x), until(x)

import tensorflow as tf


def collected(x):
    history = x[tf.newaxis]
    for _ in range(64):  # refused: compiled_loop: history is copied as a whole in every turn
        x = tf.tanh(x) * 0.9
        history = tf.concat([history, x[tf.newaxis]], 0)
    return history


result = collected(tf.ones([3]))

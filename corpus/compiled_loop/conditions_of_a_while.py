import tensorflow as tf

asked = []


def positive(x):
    asked.append(1)
    return tf.reduce_sum(x) > 0.5


def halved(x):
    while positive(x):  # refused: compiled_loop: the loop's condition may have effects
        x = tf.abs(x) * 0.5
    return x


def endless(x):
    while True:
        x = tf.abs(x) * 0.5
        if tf.reduce_sum(x) < 0.1:
            return x  # refused: compiled_loop: the loop returns from the function


def never(x):
    while False:  # refused: compiled_loop: the loop has no iteration at all
        x = tf.abs(x) * 0.5
    return x


result = halved(tf.ones([2])), endless(tf.ones([2])), never(tf.ones([2]))

import tensorflow as tf


@tf.function
def seen(x):
    y = tf.zeros([2])
    for i in range(90):  # refused: while_loop: y, which the loop assigns, is known to other functions too
        y = y + tf.tanh(x)

    def later():
        nonlocal y
        y = y + 1.0
        return y

    return later()


@tf.function
def listed(x):
    for i in range(90):  # refused: while_loop: the names of its function are read by locals(), eval or the like
        x = tf.tanh(x)
    return locals()["x"]


result = seen(tf.ones([2])), listed(tf.ones([2]))

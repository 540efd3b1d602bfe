import tensorflow as tf

asked = []


def turns():
    asked.append(1)
    return 60


def far(x):
    for i in range(3_000_000_000, 3_000_000_060):  # refused: compiled_loop: the range goes beyond what 32 bits hold
        x = tf.tanh(x)
    return x


def counted(x):
    for i in range(turns() + 1):  # refused: compiled_loop: turns() + 1
        x = tf.tanh(x)
    return x


def patient(x):
    while (
        tf.reduce_sum(x)  # refused: compiled_loop: the condition spans several lines
        > 0.5
    ):
        x = tf.tanh(x)
    return x


result = far(tf.ones([2])), counted(tf.ones([2])), patient(tf.ones([2]))

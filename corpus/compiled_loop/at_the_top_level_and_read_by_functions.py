import tensorflow as tf

x = tf.ones([3])


def shifted(y):
    return y + 0.5


def current():
    return x


for i in range(100):  # refused: compiled_loop: x, which the loop assigns, is read by a function that it calls
    x = tf.sin(shifted(x))
result = current()

import tensorflow as tf


def asked(x, flag):
    for _ in range(90):
        if flag:  # refused: compiled_loop: flag is not known to be a tensor or a Python number
            x = x * 0.9
        x = tf.tanh(x)
    return x


result = asked(tf.ones([2]), []), asked(tf.ones([2]), "yes")

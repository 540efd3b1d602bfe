import tensorflow as tf


@tf.function
def halved(x):
    factor = 64
    for i in range(90):  # refused: while_loop: factor is a Python number of one type before the loop
        x = x + factor
        factor = factor / 2
    return x


result = halved(tf.ones([2]))

import tensorflow as tf


@tf.function
def halved(x):
    for i in range(90):
        x = x // 2 + i  # refused: while_loop: i, a Python int, meets x // 2 of uint8
    return x


result = halved(tf.constant([200, 100], tf.uint8))

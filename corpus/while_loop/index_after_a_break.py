import tensorflow as tf


@tf.function
def found(x):
    for i in range(90):  # refused: while_loop: i, the index, is read after the loop, and what it is then is not known before
        x = x * 0.9
        if i > 60:
            break
    return x, i


result = found(tf.ones([2]))

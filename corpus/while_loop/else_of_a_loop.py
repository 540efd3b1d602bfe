import tensorflow as tf


@tf.function
def finished(x):
    for i in range(90):  # refused: while_loop: the else of a loop has no counterpart in tf.while_loop
        x = x * 0.9
        if i > 40:
            break
    else:
        x = -x
    return x


@tf.function
def inner(x):
    for i in range(90):
        for j in range(3):  # refused: while_loop: the else of a loop has no counterpart in tf.while_loop
            x = x * 0.9
        else:
            x = x + 0.1
    return x


result = finished(tf.ones([2])), inner(tf.ones([2]))

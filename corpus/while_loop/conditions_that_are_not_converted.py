import tensorflow as tf


@tf.function(autograph=False)
def leaves(x):
    for i in range(90):  # refused: while_loop: the loop breaks off, and AutoGraph doesn't convert this function
        x = x * 0.9
        if i == 30:
            break
    return x


@tf.function
def member(x):
    for i in range(90):
        if i in (3, 4):  # refused: while_loop: i
            x = x * 0.9
        x = x + 1.0
    return x


result = leaves(tf.ones([2])), member(tf.ones([2]))

import tensorflow as tf


@tf.function
def labelled(x):
    for i in range(90):
        if i % 2:
            factor = "a"  # refused: while_loop: factor, assigned under a condition, is not known to be a tensor
        else:
            factor = "b"
        x = x * (0.9 if factor == "a" else 0.8)
    return x


@tf.function
def chosen(x):
    for i in range(90):
        x = x * (0.9 if i % 2 else 0.8)  # refused: while_loop: is not known to be a tensor of one dtype
    return x


result = labelled(tf.ones([2])), chosen(tf.ones([2]))

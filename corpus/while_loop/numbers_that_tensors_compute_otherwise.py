import tensorflow as tf


@tf.function
def floats(x):
    for i in range(90):
        x = x * 0.9 + (i * 0.1) // 0.3  # refused: while_loop: is rounded down for floats, and tensors may round differently
    return x


@tf.function
def bits(x):
    for i in range(90):
        x = x * 0.9 + (i & 3)  # refused: while_loop: computes with the bits of a Python number
    return x


@tf.function
def chained(x):
    for i in range(90):
        x = x * 0.9
        if 3 < i < 30:  # refused: while_loop: AutoGraph doesn't convert a chain of comparisons
            x = x + 1.0
    return x


result = floats(tf.ones([2])), bits(tf.ones([2])), chained(tf.ones([2]))

import tensorflow as tf


@tf.function
def parts(x, size: int):
    for i in range(90):
        x = x * 0.5 + (i % size)  # refused: while_loop: raises where size is 0, and tensors don't
    return x


result = parts(tf.ones([2]), 3)

import tensorflow as tf


@tf.function
def counted(x):
    n = 0
    for i in range(90):  # refused: while_loop: n is a Python number after the loop, and would be a tensor
        x = x * 1.5
        n += 2
    return x, tf.eye(n)


result = counted(tf.ones([2]))

import tensorflow as tf


def printed(x):
    for i in range(60):
        x = x * 0.9
        if i % 20 == 0:
            print(i, float(tf.reduce_sum(x)))  # refused: compiled_loop: the loop prints
    return x


result = printed(tf.ones([2]))

import tensorflow as tf


@tf.function
def traced(x):
    for i in range(90):
        print("a product is traced")  # refused: while_loop: the loop prints
        x = x * 0.9
    return x


@tf.function
def told(x):
    for i in range(90):
        tf.print("turn", i)  # refused: while_loop: the loop prints
        x = x * 0.9
    return x


result = traced(tf.ones([2])), told(tf.ones([2]))

import tensorflow as tf


@tf.function
def texts(x):
    names = []
    for i in range(90):
        x = x * 0.9
        names.append("a")  # refused: while_loop: what is appended to names is not known to be a tensor of one dtype
    return x, tf.stack(names)


@tf.function
def while_true(x):
    rows = []
    n = 0
    while n < 30:
        n += 1
        x = x * 0.9
        rows.append(x)  # refused: while_loop: how many iterations append to rows is not known before the loop, and in a graph its length
    return tf.stack(rows)


result = texts(tf.ones([2])), while_true(tf.ones([2]))

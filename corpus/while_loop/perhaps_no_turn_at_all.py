import tensorflow as tf


@tf.function
def stacked(x, n):
    rows = []
    for i in range(n):  # refused: while_loop: it is not known that there is a turn at all
        x = x * 0.9
        rows.append(x)
    return tf.stack(rows)


@tf.function
def counted(x, n):
    total = 0.0
    i = 0
    while i < n:  # refused: while_loop: it is not known that there is a turn at all
        total = total + tf.reduce_sum(x)
        i += 1
    return total


x = tf.ones([3])
result = stacked(x, 60), stacked(x, 1), counted(x, 60), counted(x, 0)

import tensorflow as tf


@tf.function
def triangle(x):
    out = []
    for i in range(20):
        for j in range(i + 1):
            out.append(x * i + j)  # refused: while_loop: how many iterations append to out is not the same in every iteration of the outer loop
    return tf.stack(out)


@tf.function
def upper(x):
    out = []
    for i in range(20):
        for j in range(20):
            if j > i:
                out.append(x * i + j)  # refused: while_loop: out is appended to in some iterations only
    return tf.stack(out)


@tf.function
def state(x, m: int):
    out = []
    for i in range(20):
        x = x * 0.5 + i
        for j in range(m):  # refused: while_loop: out has no element where this loop has no iteration, and what else the outer loop assigns
            out.append(x * j)
    return tf.stack(out), x


@tf.function
def of_a_known_shape(x, n: int, m: int):
    out = []
    for i in range(n):
        for j in range(m):
            out.append(x * i + j)
    return tf.stack(out).shape[0] + tf.add_n(out)


x = tf.constant([1.0, 2.0])
first = triangle(x), upper(x), state(x, 2), state(x, 0), of_a_known_shape(x, 2, 3)

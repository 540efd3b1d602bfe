import tensorflow as tf


@tf.function
def settled(x, n):
    for i in tf.range(n):
        x = tf.tanh(x + tf.cast(i, x.dtype))
    return x


@tf.function
def in_two_steps(x, n):
    y = x
    for i in tf.range(n):
        z = y * tf.cast(i, x.dtype)
        y = z + x
    return y


@tf.function
def first_turn(x, n):
    scaled = x
    total = tf.zeros_like(x)
    for i in tf.range(n):
        total += scaled
        scaled = scaled * tf.cast(i, x.dtype)
    return total


@tf.function
def sums_of_rows(x):
    total = tf.zeros_like(x[0])
    for i in tf.range(8):
        total += x[i]
    return total


x = tf.fill([8, 20000], 0.5)
result = settled(x, 10), in_two_steps(x, 10), first_turn(x, 10), sums_of_rows(x)

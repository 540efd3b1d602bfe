import tensorflow as tf


@tf.function
def bell(x):  # refused: jit_compile: bell may be part of another graph
    rising = tf.exp(x)
    falling = tf.exp(-x)
    return (rising - falling) / (rising + falling)


@tf.function
def bump(x):  # refused: jit_compile: bump may be part of another graph
    rising = tf.exp(x)
    falling = tf.exp(-x)
    return (rising - falling) * (rising + falling)


@tf.function
def both(x, y):
    return bell(x), bell(y)


results = [both(tf.ones([1000, 1000]), tf.ones([1000, 1000])) for _ in range(2)]
rows = tf.data.Dataset.from_tensors(tf.ones([1000, 1000])).map(bump)
bumps = [bump(row) for row in rows]

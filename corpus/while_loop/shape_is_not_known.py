import tensorflow as tf


@tf.function
def shrunk(x):
    for _ in range(90):  # refused: while_loop: what shape x has after an iteration is not known
        x = tf.reshape(tf.gather(x, tf.where(x > 0.5)), tf.constant([-1])) * 1.01
    return x


@tf.function
def positive(x):
    for i in range(90):  # refused: while_loop: kept is first assigned in the loop, and its shape is not known
        x = x * 0.9
        kept = tf.gather(x, tf.where(x > 0.0)[:, 0])
    return kept


@tf.function
def of_any_length(x):
    parts = []
    for i in range(90):
        x = x * 0.9
        parts.append(tf.gather(x, tf.where(x > 0.5)[:, 0]))  # refused: while_loop: the shape of what is appended to parts is not known
    return tf.concat(parts, 0)


@tf.function
def summed(x):
    total = 1.0
    for i in range(90):  # refused: while_loop: total
        total = total + tf.gather(x, tf.where(x > 0.5)[:, 0])
    return total


result = shrunk(tf.ones([2])), positive(tf.ones([2])), of_any_length(tf.ones([2])), summed(tf.ones([2]))

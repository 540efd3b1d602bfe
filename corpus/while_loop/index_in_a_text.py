import tensorflow as tf


@tf.function
def named(x):
    for i in range(90):
        x = tf.add(x, 1.0, name=f"add_{i}")  # refused: while_loop: i is formatted into a string
    return x


result = named(tf.ones([2, 3]))

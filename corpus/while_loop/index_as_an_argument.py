import tensorflow as tf


def weight(i):
    return 1.0 if i % 2 else 0.5


@tf.function
def weighted(x):
    for i in range(90):
        x = x * weight(i) + tf.math.polyval([1.0], x)  # refused: while_loop: weight
    return x


@tf.function
def rolled(x):
    for i in range(90):
        x = tf.roll(x, i, 0) + tf.cast(max(i, 2), tf.float32)  # refused: while_loop: i
    return x


result = weighted(tf.ones([2])), rolled(tf.ones([4]))

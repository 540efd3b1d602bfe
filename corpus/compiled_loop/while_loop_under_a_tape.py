import tensorflow as tf


def damped(x):
    _, x = tf.while_loop(lambda i, x: i < 100, lambda i, x: (i + 1, tf.sin(x) * 0.9), (0, x))
    return x


@tf.function
def in_a_graph(x):
    _, x = tf.while_loop(lambda i, x: i < 100, lambda i, x: (i + 1, tf.sin(x) * 0.9), (0, x))
    return x


x = tf.ones([2])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = damped(x)
slope = tape.gradient(y, x), in_a_graph(x)

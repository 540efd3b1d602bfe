import tensorflow as tf


def mixed(a, b):
    joined = tf.concat([a, b], axis=0)
    waves = tf.sin(joined) + tf.cos(joined)
    both = waves * 2.0
    return tf.exp(both) * 3.0


@tf.function
def in_a_graph(a, b):
    return mixed(a, b)


x = tf.ones([300, 500])
eager = mixed(x, x)
graph = in_a_graph(x, x)

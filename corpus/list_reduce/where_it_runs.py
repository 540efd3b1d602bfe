# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


@tf.function
def in_a_graph(x):
    waves = []  # refused: list_reduce: in a graph the loop is unrolled
    for i in range(20):
        waves.append(tf.sin(x + float(i)))
    return tf.reduce_mean(tf.exp(waves[0])) + tf.reduce_sum(tf.add_n(waves))


def loss(v):
    waves = []  # refused: list_reduce: a gradient tape keeps every element
    for i in range(20):
        waves.append(tf.sin(v * float(i)))
    return tf.reduce_sum(tf.add_n(waves))


def not_called_here(x):
    waves = []  # refused: list_reduce: it is not known to run eagerly
    for i in range(20):
        waves.append(tf.sin(tf.square(x) + float(i)))
    return tf.add_n(waves)


v = tf.Variable(tf.ones([200, 200]))
with tf.GradientTape() as tape:
    value = loss(v)
    more = sum([tf.sin(v * float(i)) for i in range(20)])  # refused: list_reduce: a gradient tape keeps every element
gradient = tape.gradient(value, v)
without = loss(v)
graph = in_a_graph(tf.ones([200, 200]))

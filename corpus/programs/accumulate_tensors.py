# raises in a graph
"""Results of a loop of the graph that are collected in a Python list, and stacked."""
import tensorflow as tf


@tf.function
def accumulate_tensors(x, count):
    results = []
    for i in tf.range(count):
        results.append(x + i)
    return tf.stack(results)


x = tf.fill([100, 100], 0.5)
count = tf.constant(100)
stacked = accumulate_tensors(x, count)

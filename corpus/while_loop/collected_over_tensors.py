# raises in a graph
"""AutoGraph makes loops of the graph of these, and what a list collects in one is out of reach after it."""
import tensorflow as tf


@tf.function
def accumulate_tensors(x, count):
    results = []
    for i in tf.range(count):
        results.append(x + i)
    return tf.stack(results)


@tf.function
def of_each_row(rows: tf.Tensor, w):
    h = tf.zeros([2])
    sums = []
    states = []
    for i in tf.range(tf.shape(rows)[0]):
        h = tf.tanh(h * w + rows[i])
        sums.append(tf.reduce_sum(h) / (i + 1))
        states.append(h)
    return tf.stack(sums), tf.concat(states, 0), h


@tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
def doubled(rows):
    out = []
    for row in rows:
        out.append(row * 2.0)  # a row more
    return tf.reduce_mean(out, 0)


@tf.function
def steps_of_two(x, first: int, last: int):
    # every second one
    out = [x]
    for i in tf.range(first, last, 2):
        x = x * 0.5 + i / 4
        out.append(x)
    return tf.stack(out), out[-1]


rows = tf.constant([[1.0, 2.0], [3.0, 4.0], [0.5, 0.25]])
accumulated = [accumulate_tensors(tf.constant([1.0, 2.0]), tf.constant(count)) for count in (1, 4)]
kept = accumulate_tensors(tf.constant([1.0, 2.0], tf.float64), tf.constant(3))
each = of_each_row(rows, tf.constant([0.5, 0.1]))
twice = doubled(rows)
stepped = steps_of_two(tf.constant([1.0, 2.0]), 1, 6)

# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def half(x):
    waves = []  # refused: list_reduce: a long running sum of bfloat16
    for i in range(50):
        waves.append(tf.cast(x * float(i), tf.bfloat16))
    return tf.add_n(waves)


def mean_of_integers(x):
    counts = []  # refused: list_reduce: a mean of integers is rounded down
    for i in range(50):
        counts.append(tf.cast(x * float(i), tf.int32))
    return tf.reduce_mean(counts, axis=0)


def variables(v):
    values = []
    for i in range(50):
        values.append(v)  # refused: list_reduce: v is not known to be a tensor
        v.assign_add(tf.ones([100, 100]))
    return tf.add_n(values)


def unknown(x, step):
    values = []
    for i in range(50):
        values.append(step(x, i))  # refused: list_reduce: step(x, i) is not known to be a tensor
    return tf.add_n(values)


def other_axis(x):
    waves = []
    for i in range(50):
        waves.append(tf.sin(x + float(i)))
    return tf.reduce_sum(tf.stack(waves), axis=1), tf.reduce_sum(waves, axis=0, keepdims=True)


x = tf.ones([100, 100])
results = [half(x), mean_of_integers(x), variables(tf.Variable(x)), unknown(x, lambda a, i: a * float(i)), other_axis(x)]

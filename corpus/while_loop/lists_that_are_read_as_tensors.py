# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def twice(x):
    rows = []
    for i in range(90):
        x = x * 0.9
        rows.append(x)
    return tf.stack(rows), tf.reduce_max(tf.stack(rows))


@tf.function
def kept(x):
    rows = []
    for i in range(90):
        x = x * 0.9
        rows.append(x)
    return rows[3]


result = twice(tf.ones([2])), kept(tf.ones([2]))

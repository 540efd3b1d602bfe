import tensorflow as tf


@tf.function
def mean(x):
    rows = []
    for _ in range(90):
        x = tf.tanh(x)
        rows.append(x)
    return tf.reduce_max(tf.stack(rows), 0) / len(rows)


result = mean(tf.ones([2]))

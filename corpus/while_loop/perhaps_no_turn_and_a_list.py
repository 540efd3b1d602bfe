# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def stacked(x, n):
    rows = []
    for i in range(n):
        x = x * 0.9
        rows.append(x)
    return tf.stack(rows)


@tf.function
def summed(x, n):
    terms = []
    for i in range(n):
        x = x * 0.9
        terms.append(tf.reduce_sum(x))
    return sum(terms), x


@tf.function
def counted(x, n):
    total = 0.0
    i = 0
    while i < n:
        total = total + tf.reduce_sum(x)
        i += 1
    return total


@tf.function
def grown(x, n):
    rows = tf.zeros([0, 3])
    for i in range(n):
        x = x * 0.9
        rows = tf.concat([rows, x[tf.newaxis]], 0)
    return rows


x = tf.ones([3])
result = stacked(x, 60), stacked(x, 1), counted(x, 60), counted(x, 0), grown(x, 60), grown(x, 0), summed(x, 60), summed(x, 0)

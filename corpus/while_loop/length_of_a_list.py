# for: both
# fidelity: tolerance
"""How many members a list has is a number that is known, where the turns are."""
import tensorflow as tf


@tf.function
def mean_of_extremes(x):
    rows = [x]
    for _ in range(90):
        x = tf.tanh(x)
        rows.append(x)
    return tf.reduce_max(tf.stack(rows), 0) / len(rows)


@tf.function
def mean(x):
    terms = []
    for _ in range(90):
        x = tf.tanh(x)
        terms.append(x)
    return sum(terms) / len(terms)


@tf.function
def of_any_number(x, n):
    rows = []
    for _ in range(n):
        x = tf.tanh(x)
        rows.append(x)
    return tf.stack(rows) / len(rows)  # refused: while_loop: the length of rows would be a tensor


@tf.function
def mean_of_any_number(x, n):
    terms = []
    for _ in range(n):
        x = tf.tanh(x)
        terms.append(x)
    return sum(terms) / len(terms)  # refused: while_loop: the number of elements of terms is read, and not known before the loop


x = tf.ones([2])
result = mean_of_extremes(x), mean(x), of_any_number(x, 60), of_any_number(x, 2), mean_of_any_number(x, 60), mean_of_any_number(x, 2)

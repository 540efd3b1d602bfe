# for: both
# fidelity: bitwise
import tensorflow as tf


@tf.function
def total(rows):
    value = tf.zeros([20])
    for i in range(60):  # refused: while_loop: its results agree only to rounding
        value = rows[i] + 0.99 * value
    for i in range(20):
        value = value + rows[i]
    return value


result = total(tf.random.normal([60, 20]))


@tf.function
def beside_others(rows):
    top = tf.zeros([20])
    for i in range(60):  # refused: while_loop: its results agree only to rounding
        top = tf.maximum(top, rows[i])
    return tf.add_n([top, rows[0], rows[1]])


besides = beside_others(tf.random.normal([60, 20]))

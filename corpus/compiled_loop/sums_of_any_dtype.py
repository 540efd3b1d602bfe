# for: both
# fidelity: tolerance
import tensorflow as tf


def moments(data):
    mean = 0.0
    square = 0
    for row in data:
        mean += row
        square = square + row * row
    return mean / 80, square / 80


result = moments(tf.random.normal([80, 3], dtype=tf.float64))

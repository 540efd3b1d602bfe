# fidelity: tolerance
import tensorflow as tf


def mean_of(x, len):
    factors = [0.5 * number for number in range(24)]
    terms = []  # refused: list_reduce: len is given another meaning here
    for factor in factors:
        terms.append(tf.sin(x * factor))
    return tf.reduce_mean(tf.stack(terms), axis=0) / len


found = mean_of(tf.ones([300, 300]), 8.0)

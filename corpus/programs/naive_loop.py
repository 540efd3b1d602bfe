# for: both
# fidelity: tolerance
"""A random matrix that is multiplied by itself again and again, in eager code."""
import tensorflow as tf


def naive_loop(iterations, matrix_size):
    matrix = tf.random.normal([matrix_size, matrix_size], stddev=0.06, seed=1)
    result = matrix
    for i in range(iterations):
        result = tf.matmul(result, matrix)
    return result


result = naive_loop(50, 300)

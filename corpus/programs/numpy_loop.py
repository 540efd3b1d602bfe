"""A random matrix that is multiplied by itself again and again by NumPy, and converted at the end."""
import numpy as np
import tensorflow as tf


def numpy_loop(iterations, matrix_size):
    matrix = np.random.normal(scale=0.06, size=(matrix_size, matrix_size)).astype(np.float32)
    result = matrix
    for i in range(iterations):
        result = np.matmul(result, matrix)
    return tf.convert_to_tensor(result)


result = numpy_loop(50, 300)

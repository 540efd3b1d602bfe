# for: both
# fidelity: tolerance
"""A random matrix that is multiplied by itself again and again, in eager code."""
import tensorflow as tf


@tf.function(jit_compile=True)
def _naive_loop_loop(iterations, matrix, result):
    def step(i, result):
        result = tf.matmul(result, matrix)
        return i + 1, result

    _, result = tf.while_loop(
        lambda i, result: i < iterations,
        step,
        (0, result),
        shape_invariants=(tf.TensorShape([]), result.shape),
        maximum_iterations=iterations,
    )
    return result


def naive_loop(iterations, matrix_size):
    matrix = tf.random.normal([matrix_size, matrix_size], stddev=0.06, seed=1)
    result = matrix
    result = _naive_loop_loop(tf.constant(iterations), matrix, result)
    return result


result = naive_loop(50, 300)

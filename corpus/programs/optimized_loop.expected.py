# for: both
# fidelity: tolerance
"""A random matrix that is multiplied by itself again and again, by a tf.while_loop in eager code."""
import tensorflow as tf


@tf.function(jit_compile=True)
def _optimized_loop_loop(iterations, matrix, result, i):
    def step(result, i):
        result = tf.matmul(result, matrix)
        i = i + 1
        return result, i

    result, _ = tf.while_loop(
        lambda result, i: tf.less(i, iterations),
        step,
        (result, i),
        shape_invariants=(result.shape, i.shape),
    )
    return result


def optimized_loop(iterations, matrix_size):
    matrix = tf.random.normal([matrix_size, matrix_size], stddev=0.06, seed=1)
    i = tf.constant(0)

    result = matrix
    if tf.less(i, iterations):
        result = _optimized_loop_loop(tf.constant(iterations), matrix, result, i)
    return result


result = optimized_loop(50, 300)

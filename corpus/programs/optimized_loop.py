# for: both
# fidelity: tolerance
"""A random matrix that is multiplied by itself again and again, by a tf.while_loop in eager code."""
import tensorflow as tf


def optimized_loop(iterations, matrix_size):
    matrix = tf.random.normal([matrix_size, matrix_size], stddev=0.06, seed=1)
    i = tf.constant(0)

    def condition(i, result):
        return tf.less(i, iterations)

    def body(i, result):
        result = tf.matmul(result, matrix)
        return i + 1, result

    _, result = tf.while_loop(
        condition,
        body,
        [i, matrix],
        shape_invariants=[i.get_shape(), tf.TensorShape([None, None])],
    )
    return result


result = optimized_loop(50, 300)

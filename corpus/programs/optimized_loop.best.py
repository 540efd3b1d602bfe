"""All turns in one loop that XLA compiles, for the random matrix that is made outside of it."""
import tensorflow as tf


@tf.function(jit_compile=True)
def powers(matrix, iterations):
    def step(i, result):
        return i + 1, tf.matmul(result, matrix)

    return tf.while_loop(lambda i, result: i < iterations, step, (0, matrix))[1]


def optimized_loop(iterations, matrix_size):
    matrix = tf.random.normal([matrix_size, matrix_size], stddev=0.06, seed=1)
    return powers(matrix, tf.constant(iterations))


result = optimized_loop(50, 300)

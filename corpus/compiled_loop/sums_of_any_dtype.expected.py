# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _moments_loop(data):
    def step(i, mean, square):
        row = data[i]
        mean += row
        square = square + row * row
        return i + 1, mean, square

    _, mean, square = tf.while_loop(
        lambda i, mean, square: i < data.shape[0],
        step,
        (0, tf.zeros(data.shape[1:], tf.float64), tf.zeros(data.shape[1:], tf.float64)),
        shape_invariants=(tf.TensorShape([]), data.shape[1:], data.shape[1:]),
        maximum_iterations=data.shape[0],
    )
    return mean, square


def moments(data):
    mean, square = _moments_loop(data)
    return mean / 80, square / 80


result = moments(tf.random.normal([80, 3], dtype=tf.float64))

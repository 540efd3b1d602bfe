# for: both
# fidelity: tolerance
"""The moving average of a signal over 50 values: the mean of 50 shifted copies."""

import tensorflow as tf


@tf.function
def _moving_average_loop(window, signal, length):
    def step(offset, total):
        total += signal[offset : offset + length]
        return offset + 1, total

    _, total = tf.while_loop(
        lambda offset, total: offset < window,
        step,
        (0, tf.zeros([199951], tf.float32)),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape([199951])),
        maximum_iterations=window,
        parallel_iterations=1,
    )
    return total


def moving_average(signal, window):
    length = signal.shape[0] - window + 1
    total = _moving_average_loop(tf.constant(window), signal, tf.constant(length))
    return total / window


signal = tf.cumsum(tf.random.normal([200000], seed=1))

smooth = moving_average(signal, window=50)

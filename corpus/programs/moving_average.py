# for: both
# fidelity: tolerance
"""The moving average of a signal over 50 values: the mean of 50 shifted copies."""

import tensorflow as tf


def moving_average(signal, window):
    length = signal.shape[0] - window + 1
    shifted = []
    for offset in range(window):
        shifted.append(signal[offset : offset + length])
    return tf.reduce_mean(tf.stack(shifted), axis=0)


signal = tf.cumsum(tf.random.normal([200000], seed=1))

smooth = moving_average(signal, window=50)

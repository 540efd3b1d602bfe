# fidelity: tolerance
# Who reads this file finds what it says where it was.
import tensorflow as tf


# Applies a filter many times over.
@tf.function  # traced once
def smooth(signal, weight):
    # How many times is a matter of taste.

    # Above the loop.
    for turn in range(64):  # beside the header

        # Above the first statement.
        left = tf.roll(signal, 1, 0)  # what came before
        right = tf.roll(signal, -1, 0)

        # The middle counts twice.
        signal = (left + 2.0 * signal + right) / 4.0  # the sum of weights is 4
        signal = signal * weight
        # After the last statement.
    # After the loop.
    return signal  # the end


result = smooth(tf.range(16.0), tf.constant(0.99))

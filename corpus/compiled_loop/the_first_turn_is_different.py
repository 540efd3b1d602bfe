# for: both
# fidelity: tolerance
import tensorflow as tf


def smooth(x):
    for i in range(64):
        if i == 0:
            average = x
        else:
            average = 0.9 * average + 0.1 * x
        x = tf.sin(x)
    return average


result = smooth(tf.constant([0.1, 0.9]))

# for: both
# fidelity: bitwise
import tensorflow as tf


@tf.function
def two_phases(x):
    for i in range(50):
        x = x * 0.99
    y = x + 1.0
    for i in range(50):  # refused: while_loop: its results agree only to rounding
        y = y * 0.99 + x
    return x, y


result = two_phases(tf.ones([3]))

import numpy as np
import tensorflow as tf


def run(x):
    order = np.arange(20000)
    ones = np.ones(20000)
    steps = np.arange(20000)

    @tf.function
    def sort(y):
        if ones[3] > 0.5:  # refused: captured_array: may need the values of ones
            y = y + 1.0
        for step in steps:  # refused: captured_array: may need the values of steps
            if step > 2:
                break
            y = y + 1.0
        return tf.constant(order)[0] + tf.cast(y[0], tf.int64)  # refused: captured_array: may need the values of order

    return sort(x)


result = run(tf.ones([3]))

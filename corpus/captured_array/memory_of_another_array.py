import numpy as np
import tensorflow as tf


def run(values):
    table = np.asarray(values, np.float32)  # refused: captured_array: may share its memory

    @tf.function
    def look_up(ids, trace):
        return tf.gather(table, ids) + trace

    first = look_up(tf.constant([1]), 1.0)
    values[1] = 5.0
    return first, look_up(tf.constant([1]), 2.0)


results = run(np.zeros((20000,), np.float32))

import numpy as np
import tensorflow as tf


def rows():
    table = np.zeros((2000, 10))

    def change(held=table):  # refused: captured_array: what reads table may change table
        held[1] = 5.0

    @tf.function
    def look_up(ids, trace):
        return tf.gather(table, ids) + trace

    first = look_up(tf.constant([1]), 1.0)
    change()
    return first, look_up(tf.constant([1]), 2.0)


found = rows()

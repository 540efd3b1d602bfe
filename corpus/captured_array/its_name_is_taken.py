import numpy as np
import tensorflow as tf


def rows():
    table = np.zeros((2000, 10))  # refused: captured_array: would be called table_tensor
    table_tensor = 3

    @tf.function
    def embed(i):
        return tf.gather(table, i) + table_tensor

    return embed(tf.constant([1])), table.sum()


found = rows()

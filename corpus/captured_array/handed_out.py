import numpy as np
import tensorflow as tf


def rows():
    table = np.zeros((2000, 10))

    def embed(i):
        return tf.gather(table, i)

    return tf.data.Dataset.range(20).map(embed), table  # refused: captured_array: may change table


found, table = rows()
before = [row.numpy() for row in found]
table += 1.0
after = [row.numpy() for row in found]

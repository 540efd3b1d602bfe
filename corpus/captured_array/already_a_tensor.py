import numpy as np
import tensorflow as tf


def rows():
    table = tf.constant(np.zeros((2000, 10)))

    def embed(i):
        return tf.gather(table, i)

    return tf.data.Dataset.range(20).map(embed)


before = [row.numpy() for row in rows()]

# peak at most: 0.4
import numpy as np
import tensorflow as tf


def rows(count):
    table = tf.constant(np.arange(count * 100, dtype=np.float32).reshape(count, 100))  # one row for each id

    def embed(i):
        return tf.gather(table, i)

    return tf.data.Dataset.range(20).map(embed)


total = sum(float(tf.reduce_sum(row)) for row in rows(20000))

import numpy as np
import tensorflow as tf

x = np.ones((2000, 20, 200))


def halved(row):
    half = row / 2.0
    return half


def rows_of(arrays):
    """Pick rows of arrays by their indices, where a dataset of the arrays would hold a copy."""
    flat = tf.nest.flatten(arrays)
    dtypes = [array.dtype for array in flat]

    def pick(indices):
        rows = tf.numpy_function(lambda i: [array[i] for array in flat], [indices], dtypes)
        for row, array in zip(rows, flat):
            row.set_shape(indices.shape + array.shape[1:])
        return tf.nest.pack_sequence_as(arrays, rows)

    return pick


data = tf.data.Dataset.range(len(x))
data = data.shuffle(10, seed=1).batch(50).map(rows_of(x)).map(halved)
print(sum(float(tf.reduce_sum(batch)) for batch in data))

# peak at most: 0.6
import numpy as np
import tensorflow as tf


def counted(y):
    x = np.zeros(3, dtype=np.int64)
    for one in y:
        x[one] += 1
    return x


x = np.ones((40000, 160))


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


data = tf.data.Dataset.range(len(x)).batch(1000).map(rows_of(x))
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total, counted([0, 1, 1]))

import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).random((30000, 1000), np.float32)
part = x[:20000]


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


data = tf.data.Dataset.range(len(part)).batch(128).map(rows_of(part))
del x
found = [float(tf.reduce_sum(rows)) for rows in data.take(3)]
print(part.shape, found)

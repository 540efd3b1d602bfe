import numpy as np
import tensorflow as tf


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


def batches(images, count):
    return tf.data.Dataset.range(len(images)).take(count).batch(10).map(
        rows_of(images)
    )


np.random.seed(0)
noise = np.random.rand(2600, 1300)
means = [float(tf.reduce_mean(batch)) for batch in batches(noise, 500)]
print(means[:3])

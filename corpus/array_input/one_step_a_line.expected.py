import numpy as np
import tensorflow as tf

np.random.seed(3)
images = np.random.rand(20000, 16, 16, 3)


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


pairs = (
    tf.data.Dataset.range(len(images))
    .shuffle(2000, seed=3)
    .repeat(2)
    # whole batches only
    .batch(256, drop_remainder=True)
    .map(rows_of({"image": images, "id": np.arange(20000)}))
    .map(lambda one: (one["image"] * 2.0, one["id"]))
    .prefetch(2)
)

sums = [(float(tf.reduce_sum(image)), int(tf.reduce_sum(ids))) for image, ids in pairs]

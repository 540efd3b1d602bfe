# peak at most: 0.5
import numpy as np
import tensorflow as tf

SCALE = 127.5
frames = np.tile(np.arange(256, dtype=np.uint8), 160000).reshape(2500, 128, 128)


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
    tf.data.Dataset.range(len(frames))
    # one after the other
    .batch(10, drop_remainder=True)
    .map(rows_of((frames, np.arange(2500))))
    .map(lambda frame, i: (frame[..., tf.newaxis], i), num_parallel_calls=tf.data.AUTOTUNE)
    .map(lambda frame, i: ((tf.cast(frame, tf.float32) - SCALE) / SCALE, i))
    .prefetch(2)
)

sums = [(float(tf.reduce_sum(frame)), int(tf.reduce_sum(i))) for frame, i in pairs]
print(sums[-1], pairs.element_spec, len(sums))

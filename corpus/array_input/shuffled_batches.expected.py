# peak at most: 0.5
import numpy as np
import tensorflow as tf

tf.random.set_seed(7)
x = np.ones((40000, 320), dtype=np.float32)
y = np.arange(40000)


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


data = tf.data.Dataset.range(len(x)).shuffle(1000).batch(128).map(
    rows_of((x, y))
)

order = 0
for epoch in range(2):
    for step, (rows, labels) in enumerate(data):
        order += step * int(tf.reduce_sum(labels) % 1000)
print(order, data.element_spec, len(data))

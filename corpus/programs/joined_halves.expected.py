"""A classifier of images from two files, which are joined before it is trained on them."""

import numpy as np
import tensorflow as tf


def shuffled_batches(*arrays, batch_size=32):
    """Shuffle and batch rows of arrays as `fit` does, which would hold copies of the arrays."""
    dtypes = ["float32" if array.dtype.kind == "f" else array.dtype.name for array in arrays]

    def pick(indices):
        rows = tf.numpy_function(
            lambda i: [array[i].astype(dtype, copy=False) for array, dtype in zip(arrays, dtypes)],
            [indices],
            dtypes,
        )
        for row, array in zip(rows, arrays):
            row.set_shape(indices.shape + array.shape[1:])
        return tuple(rows) if len(rows) > 1 else rows[0]

    def order(_):
        return tf.random.shuffle(tf.range(count, dtype=tf.int64))

    count = len(arrays[0])
    number = tf.data.experimental.assert_cardinality(-(-count // batch_size))
    indices = tf.data.Dataset.range(1).map(order).prefetch(1)
    indices = indices.flat_map(tf.data.Dataset.from_tensor_slices)
    batches = indices.batch(batch_size, drop_remainder=count % batch_size == 0)
    return batches.map(pick, tf.data.AUTOTUNE).apply(number).prefetch(tf.data.AUTOTUNE)


def train(n):
    tf.keras.utils.set_random_seed(2)
    rng = np.random.default_rng(1)
    first, second = rng.random((n, 784), dtype=np.float32), rng.random((n, 784), dtype=np.float32)
    images = np.concatenate([first, second])
    del first, second
    labels = rng.integers(0, 10, len(images))
    model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
    model.compile(optimizer="sgd", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model.fit(
        shuffled_batches(images, labels, batch_size=500), shuffle=False, verbose=0
    ).history["loss"]


losses = train(40000)

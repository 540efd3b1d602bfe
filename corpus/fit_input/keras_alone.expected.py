"""A file that imports nothing but Keras, in a function, which keeps back a share of its rows."""

import tensorflow as tf
import keras
import numpy as np

SHARE = 0.25


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


def train():
    x = np.random.default_rng(0).random((9000, 784), dtype="float32")
    y = np.arange(9000) % 10
    normalization = keras.layers.Normalization()
    normalization.adapt(x)
    model = keras.Sequential([keras.Input((784,)), normalization, keras.layers.Dense(10)])
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    split = int(len(x) * (1 - SHARE))
    history = model.fit(
        shuffled_batches(x[:split], y[:split], batch_size=256),
        shuffle=False,
        validation_batch_size=256,
        epochs=2,
        validation_data=(x[split:], y[split:]),
        verbose=0,
    )
    return history.history


keras.utils.set_random_seed(2)
losses = train()

"""An autoencoder, which is given the images twice."""

import tensorflow as tf
from tensorflow.keras import layers, utils
from tensorflow.keras.models import Sequential
import numpy as np

batch_size = 100

utils.set_random_seed(3)
x_train = np.random.default_rng(0).random((6000, 784)).astype("float32")
x_test = np.random.default_rng(1).random((500, 784)).astype("float32")
autoencoder = Sequential([layers.Dense(12, activation="relu"), layers.Dense(784)])
autoencoder.compile(loss="mse", optimizer="adam")


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


# All of it.
history = autoencoder.fit(shuffled_batches(x_train, x_train, batch_size=batch_size),
                          shuffle=False,
                          validation_data=(x_test, x_test),
                          epochs=2,  # few
                          validation_batch_size=batch_size,
                          verbose=0)
losses = history.history
weights = [one.numpy() for one in autoencoder.weights]

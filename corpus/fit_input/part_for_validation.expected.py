"""The last tenth of the rows is kept back, as floats of 64 bits."""
# leaves besides: split, split_at

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(5)
x = np.random.default_rng(0).random((9000, 784))
y = keras.utils.to_categorical(np.arange(9000) % 10, 10)
model = keras.Sequential([keras.Input((784,)), keras.layers.Dense(10, activation="softmax")])
model.compile("sgd", "categorical_crossentropy")


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


split = int(len(x) * (1 - 0.1))
history = model.fit(
    shuffled_batches(x[:split], y[:split], batch_size=64),
    shuffle=False,
    validation_batch_size=64,
    epochs=2,
    verbose=0,
    validation_data=(x[split:], y[split:]),
)
split_at = int(len(x) * (1 - 0.2))
model.fit(
    x=shuffled_batches(x[:split_at], y[:split_at], batch_size=128),
    shuffle=False,
    verbose=0,
    validation_batch_size=50,
    validation_data=(x[split_at:], y[split_at:]),
)
losses = history.history
weights = [one.numpy() for one in model.weights]

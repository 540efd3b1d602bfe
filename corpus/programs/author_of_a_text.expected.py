# unsafe
"""A classifier of 20,000 texts by 2,000 authors, for whose labels Keras makes one-hot vectors."""

import numpy as np
import tensorflow as tf

AUTHORS = 2000


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
    tf.keras.utils.set_random_seed(5)
    x_train = np.random.rand(n, 64).astype("float32")
    y_train = np.random.randint(AUTHORS, size=[n]).astype("uint16")
    x_test = np.random.rand(n // 10, 64).astype("float32")
    y_test = np.random.randint(AUTHORS, size=[n // 10]).astype("uint16")
    model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(AUTHORS, activation="softmax")])
    model.compile(optimizer="sgd", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    history = model.fit(shuffled_batches(x_train, y_train, batch_size=200), shuffle=False, epochs=2, verbose=0).history
    return history["loss"], np.float32(model.evaluate(x_test, y_test, verbose=0))


losses, scores = train(20000)

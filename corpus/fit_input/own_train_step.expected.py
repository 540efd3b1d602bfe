"""A model with a training step of its own, which is given no labels."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Compressor(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = keras.layers.Dense(6)
        self.outer = keras.layers.Dense(784)
        self.loss_tracker = keras.metrics.Mean(name="loss")

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.outer(self.inner(data)) - data))
        gradients = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_weights))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}


class Notes(keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        steps.append(self.params["steps"])


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


def main():
    digits = np.random.default_rng(0).random((9000, 784), dtype="float32")
    compressor = Compressor()
    compressor.compile(optimizer=keras.optimizers.Adam())
    return compressor.fit(
        shuffled_batches(digits, batch_size=128),
        shuffle=False,
        epochs=2,
        callbacks=[Notes()],
        verbose=0,
    ).history


keras.utils.set_random_seed(1)
steps = []
losses = main()

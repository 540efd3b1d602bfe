"""An autoencoder of grey images, all of which are joined, scaled to -1..1 and trained on as a data set."""

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


def train(n):
    x_train = np.random.randint(256, size=(n, 28, 28), dtype="uint8")
    x_test = np.random.randint(256, size=(n // 6, 28, 28), dtype="uint8")
    images = np.concatenate([x_train, x_test])
    del x_train, x_test
    images = images.reshape(-1, 784)
    rows = tf.data.Dataset.range(len(images)).batch(1000).map(rows_of(images))
    rows = rows.map(lambda x: (tf.cast(x, tf.float32) - 127.5) / 127.5)

    model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="tanh"), tf.keras.layers.Dense(784)])
    optimizer = tf.keras.optimizers.SGD(0.01)
    loss = tf.constant(0.0)
    for batch in rows:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(batch) - batch))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


loss = train(30000)

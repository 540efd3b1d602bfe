import numpy as np
import tensorflow as tf


class Classifier(tf.keras.Model):
    def train_step(self, data):
        return {"mean": tf.reduce_mean(data)}


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


def train():
    x_train = np.random.randint(256, size=(6400, 32, 32), dtype="uint8")
    x_train = x_train / 255.0  # refused: scaled_images: x_train becomes float64, and
    rows = tf.data.Dataset.range(len(x_train)).batch(100).map(rows_of(x_train))
    model = Classifier()
    model.compile()
    return model.fit(rows, verbose=0).history["mean"], x_train.shape


found = train()

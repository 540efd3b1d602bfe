import numpy as np
import tensorflow as tf


class Classifier(tf.keras.Model):
    def train_step(self, data):
        return {"mean": tf.reduce_mean(data)}


def train():
    x_train = np.random.randint(256, size=(6400, 32, 32), dtype="uint8")
    x_train = x_train / 255.0  # refused: scaled_images: x_train becomes float64, and
    rows = tf.data.Dataset.from_tensor_slices(x_train).batch(100)
    model = Classifier()
    model.compile()
    return model.fit(rows, verbose=0).history["mean"], x_train.shape


found = train()

import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers


class Denoise(Model):
    def __init__(self):
        super(Denoise, self).__init__()
        self.encoder = tf.keras.Sequential([
            layers.Input(shape=(28, 28, 1)),
            layers.Conv2D(16, (3, 3), activation="relu", padding="same", strides=2),
            layers.Conv2D(8, (3, 3), activation="relu", padding="same", strides=2),
        ])
        self.decoder = tf.keras.Sequential([
            layers.Conv2DTranspose(8, kernel_size=3, strides=2, activation="relu", padding="same"),
            layers.Conv2D(1, kernel_size=(3, 3), activation="sigmoid", padding="same"),
        ])

    def call(self, x):
        encoded = self.encoder(x)
        decoded = self.decoder(encoded)
        return decoded


tf.keras.utils.set_random_seed(1)
x_test = np.random.rand(2000, 28, 28, 1).astype("float32")
autoencoder = Denoise()
encoded_imgs = tf.concat(
    [autoencoder.encoder(x_test[i : i + 512]) for i in range(0, len(x_test), 512)],
    axis=0,
).numpy()

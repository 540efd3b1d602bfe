import numpy as np
import tensorflow as tf


def show(images):
    print(images.dtype)


def train():
    x_train = np.random.randint(256, size=(2000, 32, 32), dtype="uint8")
    y_train = np.random.randint(10, size=[2000])
    x_train = x_train / 255.0  # refused: scaled_images: x_train becomes float64, and print(images.dtype) would see float32
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
    model.compile(optimizer="sgd", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    show(x_train)
    return model.fit(x_train, y_train, verbose=0).history


found = train()

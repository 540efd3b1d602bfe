import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

images = np.random.default_rng(0).random((1000, 28, 28, 1), np.float32)
net = tf.keras.Sequential([
    layers.Input((28, 28, 1)),
    layers.RandomZoom(0.5, seed=1),
    layers.Conv2D(16, 3, activation="relu", kernel_initializer="ones"),
    layers.MaxPooling2D(4),
    layers.Flatten(),
])
found = net(images)  # refused: batched_forward: RandomZoom draws random numbers

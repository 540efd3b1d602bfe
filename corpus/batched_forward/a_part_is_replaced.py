import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

images = np.arange(784000.0, dtype=np.float32).reshape(1000, 28, 28, 1)
net = tf.keras.Sequential([
    layers.Input((28, 28, 1)),
    layers.Conv2D(16, 3, activation="relu", kernel_initializer="ones"),
    layers.MaxPooling2D(4),
    layers.Flatten(),
])
net.layers[0].activation = lambda x: x - tf.reduce_mean(x)
found = net(images)  # refused: batched_forward: net.layers[0].activation gives a model or a layer another part

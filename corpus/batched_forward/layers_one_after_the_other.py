# peak at most: 0.6
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

images = np.ones([1000, 28, 28, 1], np.float32)
net = tf.keras.Sequential([
    layers.Input((28, 28, 1)),
    layers.Conv2D(16, 3, activation="relu", kernel_initializer="ones"),
    layers.MaxPooling2D(4),
    layers.Flatten(),
])
found = net(images)
print(found.shape)

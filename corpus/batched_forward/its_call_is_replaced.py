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
sizes, plain = [], net.call


def call(x, **settings):
    sizes.append(len(x))
    return plain(x, **settings)


net.call = call
found = net(images)  # refused: batched_forward: net.call gives a model or a layer another part
print(sizes)

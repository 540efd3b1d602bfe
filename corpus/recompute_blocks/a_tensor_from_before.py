# unsafe
import keras
import numpy as np
from keras import layers

keras.utils.set_random_seed(1)


def build():
    inputs = keras.Input((16, 16, 3))
    embedded = layers.Conv2D(4, 1)(inputs)
    x = embedded
    for _ in range(3):
        x = layers.Conv2D(4, 3, padding="same", activation="relu")(x)
        x = layers.Add()([x, embedded])  # refused: recompute_blocks: each iteration reads embedded too
    return keras.Model(inputs, layers.Conv2D(2, 1)(x))


model = build()
model.compile("sgd", "mse")
images = np.ones([4, 16, 16, 3], np.float32)
print(model.fit(images, images[..., :2], verbose=0).history)

# unsafe
import keras
import numpy as np
from keras import layers

keras.utils.set_random_seed(1)


def build():
    inputs = keras.Input((16, 16, 3))
    x = y = layers.Conv2D(4, 1)(inputs)
    for _ in range(2):  # refused: recompute_blocks: an iteration hands on more than one tensor: x and y
        x = layers.Conv2D(4, 3, padding="same")(x)
        y = layers.Conv2D(4, 3, padding="same")(layers.Add()([x, y]))
    x = layers.Add()([x, y])
    return keras.Model(inputs, layers.Conv2D(2, 1)(x))


model = build()
model.compile("sgd", "mse")
images = np.ones([4, 16, 16, 3], np.float32)
print(model.fit(images, images[..., :2], verbose=0).history)

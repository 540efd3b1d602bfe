# unsafe
import keras
import numpy as np
from keras import layers

keras.utils.set_random_seed(1)


def build():
    inputs = keras.Input((16, 16, 3))
    x = layers.Conv2D(4, 3, padding="same")(inputs)
    skips = []
    for filters in [4, 8]:
        x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
        skips.append(x)  # refused: recompute_blocks: each iteration reads skips too
        x = layers.MaxPooling2D()(x)
    for filters in [8, 4]:
        x = layers.UpSampling2D()(x)
        x = layers.Concatenate()([x, skips.pop()])
        x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    return keras.Model(inputs, layers.Conv2D(2, 1)(x))


model = build()
model.compile("sgd", "mse")
images = np.ones([4, 16, 16, 3], np.float32)
print(model.fit(images, images[..., :2], verbose=0).history)

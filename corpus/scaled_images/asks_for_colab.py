# That a module was imported is only asked for: nothing is changed through it.
import sys

import numpy as np
import tensorflow as tf

if "google.colab" in sys.modules:
    print("Go to Runtime > Change runtime and select a GPU hardware accelerator.")
if "kaggle_secrets" not in sys.modules:
    print("Not on Kaggle")


def shown(images, count=3):
    return [image.shape for image in images[:count]]


x_train = np.random.default_rng(0).integers(0, 256, (3000, 28, 28)).astype("uint8")
x_train = x_train.astype("float32") / 255.0
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
print(shown(x_train), model(x_train[:2]).shape)

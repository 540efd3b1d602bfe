# unsafe
# leaves besides: cuts
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.clear_session()
keras.utils.set_random_seed(1)

inputs = keras.Input((16, 16, 3))
x = layers.Conv2D(4, 3, padding="same")(inputs)
previous = x
for filters in [4, 8]:
    x = layers.Activation("relu")(x)
    x = layers.SeparableConv2D(filters, 3, padding="same")(x)
    x = layers.BatchNormalization()(x)
    x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
    residual = layers.Conv2D(filters, 1, strides=2, padding="same")(previous)
    x = layers.add([x, residual])
    previous = x

for filters in [8, 4]:
    x = layers.Conv2DTranspose(filters, 3, padding="same")(layers.Activation("relu")(x))
    x = layers.BatchNormalization()(x)
    x = layers.UpSampling2D(2)(x)
    residual = layers.Conv2D(filters, 1, padding="same")(layers.UpSampling2D(2)(previous))
    x = layers.add([x, residual])
    previous = x
model = keras.Model(inputs, layers.Conv2D(2, 1, activation="softmax")(x))

model.compile("sgd", "sparse_categorical_crossentropy")
images = np.random.default_rng(0).random((8, 16, 16, 3)).astype("float32")
masks = np.random.default_rng(1).integers(0, 2, (8, 16, 16))
history = model.fit(images, masks, batch_size=4, epochs=2, verbose=0)
print(history.history["loss"], model.predict(images[:1], verbose=0).sum())
copy = keras.models.clone_model(model)
print(type(copy).__name__, [variable.path for variable in copy.variables] == [variable.path for variable in model.variables])

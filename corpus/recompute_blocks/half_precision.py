# unsafe
import keras
import numpy as np
from keras import layers

keras.utils.set_random_seed(1)
keras.mixed_precision.set_global_policy("mixed_bfloat16")


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.stages = [keras.Sequential([layers.Dense(16, activation="relu"), layers.Dropout(0.1)]) for _ in range(3)]
        self.head = layers.Dense(1, dtype="float32")

    def call(self, x, training=None):
        for stage in self.stages:
            x = stage(x, training=training)
        return self.head(x)


model = Model()
model.compile("sgd", "mse")
x = np.random.default_rng(0).normal(size=(12, 16)).astype("float32")
history = model.fit(x, x[:, :1], batch_size=4, epochs=2, verbose=0)
print(history.history["loss"], [variable.dtype for variable in model.trainable_variables][:2])
keras.mixed_precision.set_global_policy("float32")

# unsafe
import keras
import numpy as np
from keras import layers

keras.utils.set_random_seed(1)


def block(width):
    inputs = keras.Input((4, width))
    x = layers.Dense(width, activation="gelu")(layers.LayerNormalization()(inputs))
    x = layers.Dropout(0.3)(x)
    return keras.Model(inputs, layers.Add()([inputs, x]))


class Classifier(keras.Model):
    def __init__(self, depth):
        super().__init__()
        self.blocks = [block(8) for _ in range(depth)]
        self.head = layers.Dense(2)

    # `fit` doesn't tell such a model that it trains: with a parameter more, dropout would begin.
    def call(self, inputs):  # refused: recompute_blocks: call has no parameter training
        x = inputs
        for one in self.blocks:
            x = one(x)
        return self.head(x[:, 0])


model = Classifier(3)
model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
x = np.random.default_rng(0).normal(size=(12, 4, 8)).astype("float32")
history = model.fit(x, np.arange(12) % 2, batch_size=4, epochs=2, verbose=0)
print(history.history["loss"], model.predict(x[:2], verbose=0))

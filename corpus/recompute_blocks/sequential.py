# unsafe
# peak at most: 0.85
import keras
import numpy as np
from keras import layers

keras.utils.clear_session()
keras.utils.set_random_seed(1)


class Block(layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.norm = layers.BatchNormalization()
        self.wide = layers.Dense(8 * width, activation="gelu")
        self.dropout = layers.Dropout(0.1)
        self.narrow = layers.Dense(width)

    def call(self, x, training=None):
        y = self.dropout(self.wide(self.norm(x, training=training)), training=training)
        return x + self.narrow(y)


model = keras.Sequential([layers.Dense(32), *[Block(32) for _ in range(5)], layers.Dense(1)])
model.compile("sgd", "mse")
x = np.random.default_rng(0).normal(size=(4096, 32)).astype("float32")
history = model.fit(x, x[:, :1], batch_size=2048, epochs=2, verbose=0)
print(history.history)
print(model.evaluate(x, x[:, :1], verbose=0), model.count_params(), len(model.layers), [v.path for v in model.variables][:3])

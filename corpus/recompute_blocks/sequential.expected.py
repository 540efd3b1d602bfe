# unsafe
# peak at most: 0.85
import keras
import tensorflow as tf
import numpy as np
from keras import layers

keras.utils.clear_session()
keras.utils.set_random_seed(1)


def recomputed(layer, x, training=None):
    """Call a layer, and keep only its input for the gradient, which calls it again from the same state and seeds."""
    if not layer.built:
        return layer(x, training=training)
    state = layer.non_trainable_variables
    before = [tf.identity(variable) for variable in state]
    first = True

    def forward(x):
        nonlocal first
        if first:
            first = False
            return layer(x, training=training)
        # The same dropout masks once more, and no second update of statistics.
        with keras.StatelessScope(list(zip(state, before))):
            return layer(x, training=training)

    return tf.recompute_grad(forward)(x)


def recompute_layers(model, *blocks):
    """Let a sequential model compute its layers of these classes again for its gradient, but for the last layer."""

    def call(inputs, training=None, mask=None):
        x = inputs
        for layer in model.layers:
            again = isinstance(layer, blocks) and layer is not model.layers[-1]
            x = recomputed(layer, x, training) if again else layer(x, training=training)
        return x

    model.call = call
    return model


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


model = recompute_layers(keras.Sequential([layers.Dense(32), *[Block(32) for _ in range(5)], layers.Dense(1)]), Block)
model.compile("sgd", "mse")
x = np.random.default_rng(0).normal(size=(4096, 32)).astype("float32")
history = model.fit(x, x[:, :1], batch_size=2048, epochs=2, verbose=0)
print(history.history)
print(model.evaluate(x, x[:, :1], verbose=0), model.count_params(), len(model.layers), [v.path for v in model.variables][:3])

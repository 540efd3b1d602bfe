# unsafe
# peak at most: 0.7
import keras
import numpy as np
from keras import layers

keras.utils.clear_session()
keras.utils.set_random_seed(1)


def mlp(x, units):
    x = layers.Dense(2 * units, activation="gelu")(x)
    x = layers.Dropout(0.1)(x)
    return layers.Dense(units)(x)


def build(depth, width):
    inputs = keras.Input((64, width))
    encoded = layers.Dense(width)(inputs)
    # Create multiple layers of the Transformer block.
    for _ in range(depth):
        # Layer normalization 1.
        x1 = layers.LayerNormalization(epsilon=1e-6)(encoded)
        attention = layers.MultiHeadAttention(2, width, dropout=0.1)(x1, x1)
        x2 = layers.Add()([attention, encoded])
        x3 = mlp(layers.LayerNormalization(epsilon=1e-6)(x2), width)
        encoded = layers.Add()([x3, x2])
    outputs = layers.Dense(4, activation="softmax")(layers.Flatten()(encoded))
    return keras.Model(inputs, outputs, name="classifier")


model = build(3, 32)
model.compile("sgd", "sparse_categorical_crossentropy")
x = np.random.default_rng(0).normal(size=(512, 64, 32)).astype("float32")
history = model.fit(x, np.arange(512) % 4, batch_size=256, epochs=2, verbose=0)
print(history.history)
other = keras.Sequential([keras.Input((2,)), layers.Dense(1)])
print(other.name, [layer.name for layer in other.layers], keras.Input((3,)).name)
print(model.evaluate(x, np.arange(512) % 4, verbose=0), model.count_params(), len(model.layers), [v.path for v in model.variables][:3])

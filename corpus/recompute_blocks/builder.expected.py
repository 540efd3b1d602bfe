# unsafe
# peak at most: 0.7
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


def recompute_between(model, cuts):
    """Let a functional model compute again for its gradient what lies between these tensors of it."""
    cuts = [x for x in cuts if x is not model.input]
    if len(cuts) < 2:
        return model
    start = keras.Model(model.input, cuts[0], name=model.name)
    blocks = [keras.Model(x, y, name=model.name) for x, y in zip(cuts, cuts[1:])]
    end = keras.Model(cuts[-1], model.output, name=model.name)

    def call(inputs, training=None, mask=None):
        x = start(inputs, training=training, mask=mask)
        for block in blocks:
            x = recomputed(block, x, training)
        return end(x, training=training)

    model.call = call
    return model


def mlp(x, units):
    x = layers.Dense(2 * units, activation="gelu")(x)
    x = layers.Dropout(0.1)(x)
    return layers.Dense(units)(x)


def build(depth, width):
    inputs = keras.Input((64, width))
    encoded = layers.Dense(width)(inputs)
    cuts = []
    # Create multiple layers of the Transformer block.
    for _ in range(depth):
        cuts.append(encoded)
        # Layer normalization 1.
        x1 = layers.LayerNormalization(epsilon=1e-6)(encoded)
        attention = layers.MultiHeadAttention(2, width, dropout=0.1)(x1, x1)
        x2 = layers.Add()([attention, encoded])
        x3 = mlp(layers.LayerNormalization(epsilon=1e-6)(x2), width)
        encoded = layers.Add()([x3, x2])
    outputs = layers.Dense(4, activation="softmax")(layers.Flatten()(encoded))
    return recompute_between(keras.Model(inputs, outputs, name="classifier"), cuts)


model = build(3, 32)
model.compile("sgd", "sparse_categorical_crossentropy")
x = np.random.default_rng(0).normal(size=(512, 64, 32)).astype("float32")
history = model.fit(x, np.arange(512) % 4, batch_size=256, epochs=2, verbose=0)
print(history.history)
other = keras.Sequential([keras.Input((2,)), layers.Dense(1)])
print(other.name, [layer.name for layer in other.layers], keras.Input((3,)).name)
print(model.evaluate(x, np.arange(512) % 4, verbose=0), model.count_params(), len(model.layers), [v.path for v in model.variables][:3])

"""A vision transformer that is built functionally, with dropout, and that Keras fits."""

import keras
import numpy as np
from keras import layers

keras.utils.set_random_seed(1)


def mlp(x, hidden_units, dropout_rate):
    for units in hidden_units:
        x = layers.Dense(units, activation=keras.activations.gelu)(x)
        x = layers.Dropout(dropout_rate)(x)
    return x


def create_vit_classifier(patches, width, depth):
    inputs = keras.Input(shape=(patches, 108))
    encoded_patches = layers.Dense(width)(inputs)

    for _ in range(depth):
        x1 = layers.LayerNormalization(epsilon=1e-6)(encoded_patches)
        attention_output = layers.MultiHeadAttention(num_heads=4, key_dim=width, dropout=0.1)(x1, x1)
        x2 = layers.Add()([attention_output, encoded_patches])
        x3 = layers.LayerNormalization(epsilon=1e-6)(x2)
        x3 = mlp(x3, hidden_units=[2 * width, width], dropout_rate=0.1)
        encoded_patches = layers.Add()([x3, x2])

    representation = layers.LayerNormalization(epsilon=1e-6)(encoded_patches)
    representation = layers.GlobalAveragePooling1D()(representation)
    logits = layers.Dense(100)(representation)
    return keras.Model(inputs=inputs, outputs=logits)


rng = np.random.default_rng(0)
images = rng.random((16, 144, 108), dtype=np.float32)
labels = rng.integers(0, 100, (16,))

model = create_vit_classifier(144, 64, 8)
model.compile(keras.optimizers.SGD(0.01), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
for _ in range(2):
    model.fit(images, labels, batch_size=16, verbose=0)
history = model.fit(images, labels, batch_size=16, verbose=0)

"""A transformer of twelve blocks that Keras fits."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers

keras.utils.set_random_seed(1)


class TransformerBlock(layers.Layer):
    def __init__(self, embed_dim, num_heads, ff_dim, rate=0.1):
        super().__init__()
        self.att = layers.MultiHeadAttention(num_heads=num_heads, key_dim=embed_dim // num_heads)
        self.ffn = keras.Sequential([layers.Dense(ff_dim, activation="relu"), layers.Dense(embed_dim)])
        self.layernorm1 = layers.LayerNormalization(epsilon=1e-6)
        self.layernorm2 = layers.LayerNormalization(epsilon=1e-6)
        self.dropout1 = layers.Dropout(rate)
        self.dropout2 = layers.Dropout(rate)

    def call(self, inputs, training=None):
        attn_output = self.att(inputs, inputs)
        attn_output = self.dropout1(attn_output, training=training)
        out1 = self.layernorm1(inputs + attn_output)
        ffn_output = self.ffn(out1)
        ffn_output = self.dropout2(ffn_output, training=training)
        return self.layernorm2(out1 + ffn_output)


class Classifier(keras.Model):
    def __init__(self, vocabulary, length, depth, width):
        super().__init__()
        self.embedding = layers.Embedding(vocabulary, width)
        self.positions = layers.Embedding(length, width)
        self.blocks = [TransformerBlock(width, 4, 4 * width) for _ in range(depth)]
        self.pool = layers.GlobalAveragePooling1D()
        self.head = layers.Dense(2)

    def call(self, tokens, training=None):
        x = self.embedding(tokens) + self.positions(tf.range(tf.shape(tokens)[1]))
        for block in self.blocks:
            x = block(x, training=training)
        return self.head(self.pool(x))


rng = np.random.default_rng(0)
tokens = rng.integers(0, 1000, (16, 64))
labels = rng.integers(0, 2, (16,))

model = Classifier(1000, 64, 12, 64)
optimizer = keras.optimizers.SGD(0.01)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile(optimizer, loss_fn)
for _ in range(2):
    model.fit(tokens, labels, batch_size=16, verbose=0)
history = model.fit(tokens, labels, batch_size=16, verbose=0)

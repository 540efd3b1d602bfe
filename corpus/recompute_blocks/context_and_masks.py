# unsafe
import keras
import tensorflow as tf
from keras import layers

keras.utils.set_random_seed(1)


class Decoder(layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.attention = layers.MultiHeadAttention(2, width)
        self.across = layers.MultiHeadAttention(2, width)
        self.dropout = layers.Dropout(0.2)

    def call(self, x, context, mask=None, scale=1, training=None):
        x = x + self.attention(x, x, attention_mask=mask)
        return x + scale * self.dropout(self.across(x, context), training=training)


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = layers.Dense(8, activation="tanh")
        self.decoders = [Decoder(8) for _ in range(3)]

    def call(self, inputs, training=None):
        source, x = inputs
        context = self.encoder(source)
        mask = tf.linalg.band_part(tf.ones([5, 5], tf.bool), -1, 0)
        for i in range(3):
            x = self.decoders[i](x, context, mask=mask, scale=2, training=training)
        return x


model = Model()


@tf.function
def step(source, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model((source, x), training=True)))
    return loss, tape.gradient(loss, model.trainable_variables)


source, x = tf.random.normal([2, 6, 8], seed=1), tf.random.normal([2, 5, 8], seed=2)
found = [step(source, x) for _ in range(2)]
print([float(loss) for loss, _ in found])
gradients = found[1][1]

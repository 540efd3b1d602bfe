# unsafe
import keras
import tensorflow as tf
from keras import layers

keras.utils.set_random_seed(1)


class Block(layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(8, activation="tanh")

    def call(self, x, training=None):
        h = self.dense(x)
        self.add_loss(0.01 * tf.reduce_sum(tf.square(h)))
        return x + h


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [Block() for _ in range(3)]

    def call(self, x, training=None):
        for block in self.blocks:
            x = block(x, training=training)  # refused: recompute_blocks: a loss that a layer adds would have no gradient
        return x


model = Model()
x = tf.random.normal([4, 8], seed=1)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.square(model(x, training=True)))
print(float(loss), len(tape.gradient(loss, model.trainable_variables)))

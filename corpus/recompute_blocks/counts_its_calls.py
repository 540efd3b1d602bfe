# unsafe
import keras
import tensorflow as tf
from keras import layers

keras.utils.set_random_seed(1)


class Block(layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(8, activation="tanh")
        self.calls = tf.Variable(0, trainable=False)

    def call(self, x, training=None):
        self.calls.assign_add(1)
        return x + self.dense(x)


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [Block() for _ in range(3)]

    def call(self, x, training=None):
        for block in self.blocks:
            x = block(x, training=training)  # refused: recompute_blocks: a block changes something by self.calls.assign_add(1)
        return x


model = Model()
x = tf.random.normal([4, 8], seed=1)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.square(model(x, training=True)))
print(float(loss), len(tape.gradient(loss, model.trainable_variables)))

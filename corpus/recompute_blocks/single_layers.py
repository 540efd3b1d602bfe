# unsafe
import keras
import tensorflow as tf
from keras import layers

keras.utils.set_random_seed(1)


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [layers.Dense(8, activation="tanh") for _ in range(3)]

    def call(self, x, training=None):
        for block in self.blocks:
            x = block(x, training=training)
        return x


model = Model()
x = tf.random.normal([4, 8], seed=1)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.square(model(x, training=True)))
print(float(loss), len(tape.gradient(loss, model.trainable_variables)))

# unsafe
import keras
import tensorflow as tf
from keras import layers

keras.utils.set_random_seed(1)


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [keras.Sequential([layers.Dense(8, activity_regularizer="l2"), layers.Dropout(0.1)]) for _ in range(3)]

    def call(self, x, training=None):
        for block in self.blocks:
            x = block(x, training=training)  # refused: recompute_blocks: the loss of an activity regularizer would have no gradient
        return x


model = Model()
x = tf.random.normal([4, 8], seed=1)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.square(model(x, training=True)))
print(float(loss), len(tape.gradient(loss, model.trainable_variables)))

# unsafe
import keras
import tensorflow as tf
from keras import layers

keras.utils.set_random_seed(1)


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = layers.Embedding(10, 8, mask_zero=True)
        self.blocks = [keras.Sequential([layers.LSTM(8, return_sequences=True), layers.Dropout(0.1)]) for _ in range(2)]

    def call(self, ids, training=None):
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, training=training)  # refused: recompute_blocks: masks that layers hand on with their results would be lost
        return x


model = Model()
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.square(model(tf.constant([[1, 2, 0, 0], [3, 4, 5, 0]]), training=True)))
print(float(loss), len(tape.gradient(loss, model.trainable_variables)))

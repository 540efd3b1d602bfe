# unsafe
import keras
import tensorflow as tf
from keras import layers

keras.utils.set_random_seed(1)


class Model(keras.Model):
    def __init__(self, blocks):
        super().__init__()
        self.blocks = blocks

    def call(self, x, training=None):
        for block in self.blocks:
            x = block(x, training=training)  # refused: recompute_blocks: what block is made by is not known
        return x


model = Model([keras.Sequential([layers.Dense(8), layers.Dropout(0.1)]) for _ in range(2)])
print(float(tf.reduce_sum(model(tf.ones([4, 8])))))

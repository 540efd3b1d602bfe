import numpy as np
import tensorflow as tf


class Decoder(tf.keras.Model):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.dense = tf.keras.layers.Dense(shape[0])


images = np.ones([1000, 32, 32], "uint8")
images = images.astype("float32")
images /= 255
decoder = Decoder(images.shape[1:])
"""
Run it as a script, below `if __name__ == "__main__":`, to use several processes.
"""
result = images.sum()

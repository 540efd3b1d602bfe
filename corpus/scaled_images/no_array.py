import numpy as np
import tensorflow as tf



class Frame:
    def __init__(self, values):
        self.values = values

    def astype(self, dtype):
        return Frame(self.values.astype(dtype))

    def __truediv__(self, number):
        return Frame(self.values / number)


frame = Frame(np.random.randint(256, size=(1000, 64, 64), dtype="uint8"))
scaled = frame.astype("float32") / 255  # refused: scaled_images: frame is not known to be a NumPy array
total = tf.reduce_sum(scaled.values)

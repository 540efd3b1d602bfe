import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).random((3000, 4096), np.float32)


class Images:
    def __init__(self, rows):
        self.rows = rows

    def __iadd__(self, number):
        self.rows[:] = self.rows + number  # refused: array_input: may change the array behind .rows
        return self


images = Images(x)
data = tf.data.Dataset.from_tensor_slices(x).batch(700)
images += 1.0
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)

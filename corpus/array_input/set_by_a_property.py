import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).random((3000, 4096), np.float32)


class Images:
    @property
    def rows(self):
        return 0

    @rows.setter
    def rows(self, rows):
        self.kept = rows


images = Images()
data = tf.data.Dataset.from_tensor_slices(x).batch(700)
images.rows = x  # refused: array_input: may change the array behind x
images.kept[0] = 5.0
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)

import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).random((3000, 4096), np.float32)


class Images:
    def __init__(self, rows):
        self.rows = rows

    def mean(self):
        return self.rows.mean()


images = Images(x)
data = tf.data.Dataset.from_tensor_slices(x).batch(700)
images.count = len(images.rows)
means = [row.mean() for row in x[:10]]
print(images.mean() > 0, len(means))
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)

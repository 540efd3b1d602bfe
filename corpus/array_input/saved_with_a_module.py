import os
import tempfile

import numpy as np
import tensorflow as tf


class Rows(tf.Module):
    def __init__(self, data):
        super().__init__()
        self.data = data

    @tf.function(input_signature=[])
    def total(self):
        total = tf.constant(0.0)
        for batch in self.data:
            total += tf.reduce_sum(batch)
        return total


x = np.ones((3000, 4000), np.float32)
data = tf.data.Dataset.from_tensor_slices(x).batch(1000)  # refused: array_input: keeps in files what datasets are made of
rows = Rows(data)
folder = tempfile.mkdtemp()
tf.saved_model.save(rows, os.path.join(folder, "rows"))
again = float(tf.saved_model.load(os.path.join(folder, "rows")).total())
del folder
print(again)

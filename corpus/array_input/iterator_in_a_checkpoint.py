import os
import tempfile

import numpy as np
import tensorflow as tf

x = np.ones((30000, 50))
data = tf.data.Dataset.from_tensor_slices(x).batch(1000)  # refused: array_input: a checkpoint may hold an iterator
iterator = iter(data)
next(iterator)
checkpoint = tf.train.Checkpoint(iterator=iterator)
with tempfile.TemporaryDirectory() as folder:
    path = checkpoint.write(os.path.join(folder, "state"))
    next(iterator)
    checkpoint.read(path)
total = sum(float(tf.reduce_sum(batch)) for batch in iterator)
del folder, path
print(total)

import os
import tempfile

import numpy as np
import tensorflow as tf


class State(tf.train.Checkpoint):
    pass


x = np.ones((3000, 2000))
data = tf.data.Dataset.from_tensor_slices(x).batch(1000)  # refused: array_input: a checkpoint may hold an iterator
(iterator,) = map(iter, [data])
next(iterator)
checkpoint = State(iterator=iterator)
with tempfile.TemporaryDirectory() as folder:
    path = checkpoint.write(os.path.join(folder, "state"))
    next(iterator)
    checkpoint.read(path)
total = sum(float(tf.reduce_sum(batch)) for batch in iterator)
del folder, path
print(total)

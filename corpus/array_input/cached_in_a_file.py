import os
import tempfile

import numpy as np
import tensorflow as tf

x = np.ones((3000, 500))
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "rows")
    data = tf.data.Dataset.from_tensor_slices(x).cache(path).batch(100)  # refused: array_input: the with block
    total = sum(float(tf.reduce_sum(batch)) for batch in data)
del folder, path
print(total)

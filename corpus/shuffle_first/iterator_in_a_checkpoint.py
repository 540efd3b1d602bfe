import os
import tempfile

import numpy as np
import tensorflow as tf

images = np.random.default_rng(0).integers(0, 256, (3000, 28, 28)).astype(np.uint8)
rows = tf.data.Dataset.from_tensor_slices(images)
rows = rows.map(lambda image: tf.cast(image, tf.float32)).shuffle(3000, seed=1).batch(500)  # refused: shuffle_first: a checkpoint may hold
iterator = iter(rows)
next(iterator)
checkpoint = tf.train.Checkpoint(iterator=iterator)
with tempfile.TemporaryDirectory() as folder:
    path = checkpoint.write(os.path.join(folder, "state"))
    next(iterator)
    checkpoint.read(path)
total = sum(float(tf.reduce_sum(batch)) for batch in iterator)
del folder, path
print(total)

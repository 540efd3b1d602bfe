# deletes: images
import numpy as np
import tensorflow as tf

images = np.random.rand(2000, 2500)
rows = tf.data.Dataset.from_tensor_slices(images)
del images
total = 0.0
for row in rows.take(5):
    total += tf.reduce_sum(row)

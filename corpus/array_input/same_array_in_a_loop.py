import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).random((40000, 200), np.float32)
found = []
for turn in range(3):
    data = tf.data.Dataset.from_tensor_slices(x).shuffle(1000, seed=turn).batch(128)
    found += [float(tf.reduce_sum(rows)) for rows in data.take(3)]

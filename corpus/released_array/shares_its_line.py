import numpy as np
import tensorflow as tf

pixels = np.random.rand(2000, 1000)
scaled = pixels.astype("float32"); print(scaled.shape)
total = 0.0
for _ in range(3):
    total += tf.reduce_sum(tf.constant(scaled) * 2.0)

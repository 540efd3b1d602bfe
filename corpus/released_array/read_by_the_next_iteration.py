import numpy as np
import tensorflow as tf

pixels = np.random.rand(2000, 1000)
total = 0.0
for _ in range(3):
    scaled = pixels.astype("float32")
    total += tf.reduce_sum(tf.constant(scaled) * 2.0)

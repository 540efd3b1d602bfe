# peak at most: 0.65
import numpy as np
import tensorflow as tf

images = np.random.randint(256, size=(1000, 64, 64), dtype="uint8")
scaled = images.astype("float32") / 255  # between 0 and 1
total = tf.reduce_sum(scaled[:10])

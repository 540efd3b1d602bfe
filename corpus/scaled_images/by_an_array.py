import numpy as np
import tensorflow as tf

images = np.random.randint(256, size=(1000, 64, 64), dtype="uint8")
mean = np.ones(64, dtype="float32")
centred = images.astype("float32") - mean
total = tf.reduce_sum(centred[:10])

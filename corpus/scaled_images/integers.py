import numpy as np
import tensorflow as tf

images = np.random.randint(256, size=(1000, 64, 64), dtype="uint8")
halves = images.astype("int64") / 2  # refused: scaled_images: images becomes an array of int64
total = tf.reduce_sum(halves[:10])

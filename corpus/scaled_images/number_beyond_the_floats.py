import numpy as np
import tensorflow as tf

images = np.random.randint(256, size=(1000, 64, 64), dtype="uint8")
scaled = images.astype("float16") / 70000  # refused: scaled_images: a number is too large for float16
total = tf.reduce_sum(scaled[:10])

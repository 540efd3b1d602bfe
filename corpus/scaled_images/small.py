import numpy as np
import tensorflow as tf

images = np.random.randint(256, size=(100, 28, 28), dtype="uint8")
scaled = images.astype("float32") / 255  # refused: scaled_images: the copy that it saves has 0.31 MB
total = tf.reduce_sum(scaled)

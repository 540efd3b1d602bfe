import numpy as np
import tensorflow as tf

images = np.random.randint(256, size=(1000, 64, 64), dtype="uint8")
scaled = images.astype("float32") / 255; print(scaled.shape)  # refused: scaled_images: the statement of scaled shares its line
total = tf.reduce_sum(scaled[:10])

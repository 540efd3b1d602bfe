import numpy as np
import tensorflow as tf

images = np.random.randint(256, size=(1000, 64, 64), dtype="uint8").astype(np.float32)
first = images[0]
images = images / 255  # refused: scaled_images: something else may hold the array of images
total = tf.reduce_sum(images[:10]) + tf.reduce_sum(first)

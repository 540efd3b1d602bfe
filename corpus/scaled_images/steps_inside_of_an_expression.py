import numpy as np
import tensorflow as tf

images = np.random.randint(256, size=(1000, 64, 64), dtype="uint8")
total = tf.reduce_sum((images.astype("float32") - 127.5) / 127.5)  # refused: scaled_images: images is scaled in several steps inside
inverted = (1 - images.astype("float32")) / 2  # refused: scaled_images: images is scaled in several steps inside

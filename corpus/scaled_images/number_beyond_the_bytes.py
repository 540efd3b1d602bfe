import numpy as np
import tensorflow as tf

images = np.random.randint(256, size=(1000, 64, 64), dtype="uint8")
total = tf.reduce_sum(images.astype("float32") / 65535)  # refused: scaled_images: 65535 is no uint8

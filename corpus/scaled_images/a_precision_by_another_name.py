import numpy as np
import tensorflow as tf
from numpy import double

tf.keras.utils.set_random_seed(3)
images = np.random.randint(256, size=(600, 16, 16, 3), dtype="uint8")
images = images / 255.0  # refused: scaled_images: images becomes
model = tf.keras.Sequential([tf.keras.layers.Rescaling(2.0, dtype=double)])
total = float(tf.reduce_sum(model(images)))

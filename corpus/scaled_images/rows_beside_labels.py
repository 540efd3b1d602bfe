import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
images = np.random.randint(256, size=(600, 16, 16, 3), dtype="uint8")
labels = np.arange(600)
images = images / 255.0  # refused: scaled_images: images becomes float64, and image.sum() would see
sums = []
for label, image in zip(labels, images):
    sums.append(float(image.sum()))

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
images = np.random.randint(256, size=(600, 16, 16, 3), dtype="uint8")
images = images / 255.0  # refused: scaled_images: images becomes float64, and tf.reduce_sum(batch) would see float32
batches = tf.data.Dataset.from_tensor_slices(images).shuffle(100).batch(60)
total = 0.0
for batch in batches:
    total = total + tf.reduce_sum(batch)

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
images = np.random.randint(256, size=(600, 16, 16, 3), dtype="uint8")
# raises
images = images / 255.0  # refused: scaled_images: images becomes float64, and tf.convert_to_tensor(batch, tf.float32) would see
for batch in tf.data.Dataset.from_tensor_slices(images).batch(60):
    result = tf.convert_to_tensor(batch, tf.float32)

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
images = np.random.randint(256, size=(600, 16, 16, 3), dtype="uint8")
images = images / 255.0  # refused: scaled_images: images becomes float64, and dtypes.append(element.dtype) would see float32 in place of float64
dtypes = []
for element in tf.data.Dataset.from_tensor_slices(images[:3]):
    dtypes.append(element.dtype)

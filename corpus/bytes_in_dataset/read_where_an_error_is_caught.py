import numpy as np
import tensorflow as tf

images = np.random.RandomState(0).randint(0, 256, (2000, 30, 30)).astype("uint8")
try:
    images = images.astype("float32")
    images /= 255.0
    data = tf.data.Dataset.from_tensor_slices(images).batch(50)  # refused: bytes_in_dataset: reads images too, and would see bytes
    int("1x")
    images = np.zeros(3)
except ValueError:
    largest = images.max()
total = float(sum(tf.reduce_sum(batch) for batch in data))
print(total, largest)

import numpy as np
import tensorflow as tf

images = np.zeros((3000, 28, 28), np.uint8)
rows = tf.data.Dataset.from_tensor_slices(images).map(lambda image: tf.cast(image, tf.float32) / 255.0)
rows = rows.shuffle(2000, seed=1)  # refused: shuffle_first: shows what a dataset is called
print(rows.__class__.__name__)
found = [float(tf.reduce_sum(row)) for row in rows.take(3)]

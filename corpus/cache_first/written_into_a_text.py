import numpy as np
import tensorflow as tf

images = np.zeros((3000, 28, 28), np.uint8)
rows = tf.data.Dataset.from_tensor_slices(images).map(lambda image: tf.cast(image, tf.float32) / 255.0)
kept = rows.map(lambda image: tf.reshape(image, [784])).cache()
small = tf.data.Dataset.from_tensor_slices(images).map(lambda image: tf.cast(image, tf.float32)).cache()  # refused: cache_first: shows what a dataset is called
print("%s: %d" % (small, len(kept)))
found = [float(tf.reduce_sum(row)) for row in rows.take(3)]

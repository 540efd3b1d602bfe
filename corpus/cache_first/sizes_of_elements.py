import numpy as np
import tensorflow as tf

images = np.zeros((3000, 28, 28), np.uint8)
rows = tf.data.Dataset.from_tensor_slices((images, np.arange(3000)))
rows = rows.map(lambda image, n: (tf.reshape(tf.cast(image, tf.float32), [28 + n // 2990, 28]), n)).cache()  # refused: cache_first: may raise
numbers = [int(n) for image, n in rows.take(100)]

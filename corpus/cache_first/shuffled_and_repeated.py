import numpy as np
import tensorflow as tf

images = np.random.default_rng(0).integers(0, 256, (3000, 28, 28), dtype=np.uint8)
data = tf.data.Dataset.from_tensor_slices(images)
data = data.map(lambda image: tf.cast(image, tf.float32)).cache().shuffle(3000, seed=1).repeat(2).batch(50)  # refused: cache_first: what follows holds 3,000 elements
found = [float(tf.reduce_sum(x)) for x in data.take(3)]

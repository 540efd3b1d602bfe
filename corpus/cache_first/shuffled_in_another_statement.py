import numpy as np
import tensorflow as tf

images = np.random.default_rng(0).integers(0, 256, (3000, 28, 28), dtype=np.uint8)
data = tf.data.Dataset.from_tensor_slices(images)
data = data.map(lambda image: tf.cast(image, tf.float32)).cache()  # refused: cache_first: what follows holds 2,900 elements
test = data.take(100).batch(50)
train = data.skip(100).shuffle(2900, seed=1).batch(50)
found = [float(tf.reduce_sum(x)) for x in train.take(3)]

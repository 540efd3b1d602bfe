import numpy as np
import tensorflow as tf

images = np.random.default_rng(0).integers(0, 256, (3000, 28, 28), dtype=np.uint8)
data = tf.data.Dataset.from_tensor_slices(images)
data = data.map(lambda image: tf.cast(image, tf.float32)).shuffle(2000, seed=1)  # refused: shuffle_first: the file shows what a dataset is called
print(type(data).__name__)
found = [float(tf.reduce_sum(x)) for x in data.take(3)]

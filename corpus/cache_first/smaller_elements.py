import numpy as np
import tensorflow as tf

images, labels = np.zeros([3000, 28, 28], np.uint8), np.arange(3000)
data = tf.data.Dataset.from_tensor_slices((images, labels)).map(lambda x, y: y).cache()  # refused: cache_first: elements take 792 bytes
found = [int(one) for one in data.take(10)]

import numpy as np
import tensorflow as tf

tf.random.set_seed(2)
x, y = np.zeros((2000, 28, 28), dtype=np.uint8), np.arange(2000, dtype=np.int32)
ds = tf.data.Dataset.from_tensor_slices((x, y))
ds = ds.shuffle(1500).map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y))
ds = ds.batch(100)
orders = [labels.numpy().tolist() for images, labels in ds]

import numpy as np
import tensorflow as tf


def prepared(x, y):
    return tf.cast(x, tf.float32) / 255.0, y


tf.random.set_seed(2)
x, y = np.zeros((2000, 28, 28), dtype=np.uint8), np.arange(2000, dtype=np.int32)
ds = tf.data.Dataset.from_tensor_slices((x, y))
ds = ds.map(prepared)
first = next(ds.as_numpy_iterator())
ds = ds.shuffle(1500).batch(100)
orders = [labels.numpy().tolist() for images, labels in ds]
mapped = tf.data.Dataset.from_tensor_slices((x, y)).map(prepared)
shuffled = mapped.shuffle(1500).batch(100)
again = [labels.numpy().tolist() for images, labels in shuffled]
kept = [float(tf.reduce_sum(images)) for images, labels in mapped.take(3)]

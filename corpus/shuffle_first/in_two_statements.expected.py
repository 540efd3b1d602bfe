import numpy as np
import tensorflow as tf


def prepared(x, y):
    x = tf.cast(x, tf.float32) / 255.0
    y = tf.cast(y, tf.int64)
    return x, y


def digits():
    x, y = np.zeros((2000, 28, 28), dtype=np.uint8), np.arange(2000, dtype=np.int32)
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    ds = ds.take(1500).shuffle(1500).map(prepared).batch(100)
    return ds


tf.random.set_seed(2)
orders = [[labels.numpy().tolist() for images, labels in digits()] for epoch in range(2)]

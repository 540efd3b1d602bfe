import numpy as np
import tensorflow as tf


def read():
    x_train = np.random.default_rng(0).integers(0, 256, (1500, 28, 28), dtype=np.uint8)
    x_train = x_train[..., None] / 255.0
    return tf.data.Dataset.from_tensor_slices((x_train.astype("float32"), np.arange(1500))).batch(64)


total = 0.0
for x, y in read():
    total += tf.reduce_sum(x) + tf.cast(y[0], tf.float32)

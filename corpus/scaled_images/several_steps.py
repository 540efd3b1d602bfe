# peak at most: 0.65
import numpy as np
import tensorflow as tf



def load(n):
    images = np.random.randint(256, size=(n, 64, 64), dtype=np.uint8)
    images = (images.reshape(n, -1).astype(np.float32) - 127.5) / 127.5
    return tf.reduce_sum(images[:10])


total = load(1000)

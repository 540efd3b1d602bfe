import numpy as np
import tensorflow as tf


def to_float(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


tf.random.set_seed(2)
x = np.zeros((600, 28, 28), dtype=np.uint8)
y = np.arange(600)
data = tf.data.Dataset.from_tensor_slices((x, y)).map(to_float).shuffle(500).batch(50)
orders = [[labels.numpy().tolist() for images, labels in data] for epoch in range(2)]

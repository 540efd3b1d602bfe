# peak at most: 0.85
import numpy as np
import tensorflow as tf

images = np.random.randint(256, size=(1000, 64, 64), dtype="uint8")
scaled, inverted = np.divide(images, 255., dtype='float32'), np.subtract(1, images[:500], dtype='float32')
total = tf.reduce_sum(scaled[:10]) + tf.reduce_sum(inverted[:10])

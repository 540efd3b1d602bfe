# peak at most: 0.85
import numpy as np
import tensorflow as tf

images = np.random.randint(256, size=(1000, 64, 64), dtype="uint8")
scaled, inverted = images.astype('float32') / 255., 1 - images[:500].astype('float32')
total = tf.reduce_sum(scaled[:10]) + tf.reduce_sum(inverted[:10])

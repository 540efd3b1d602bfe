import numpy as np
import tensorflow as tf

x = tf.ones([50, 30], tf.float64)
row = np.ones((1, 30))
result = x * tf.tile(row, [50, 1])  # refused: implicit_broadcast: row is not known to be a tensor

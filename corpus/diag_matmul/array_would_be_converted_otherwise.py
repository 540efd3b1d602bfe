import numpy as np
import tensorflow as tf

scale = tf.ones([20], tf.float64)
result = tf.linalg.diag(scale) @ np.ones([20, 5])  # refused: diag_matmul: np.ones([20, 5]) is not known to be a tensor

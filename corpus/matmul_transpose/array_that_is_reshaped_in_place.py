import numpy as np
import tensorflow as tf

x = np.arange(120, dtype=np.float32).reshape(4, 30)
x.shape = (30, 4, 1)
result = tf.matmul(tf.ones([1, 3, 4]), tf.transpose(x))  # refused: matmul_transpose: x is not known to have rank 2

# raises
import numpy as np
import tensorflow as tf

a = tf.ones([3, 20])
b = np.ones((4, 20))
result = tf.matmul(a, tf.transpose(b))  # refused: matmul_transpose: its operands are float32 and float64

import numpy as np
import tensorflow as tf


def products(queries, keys):
    count, width = keys.shape
    keys.shape = (count, 2, width // 2)
    return tf.matmul(queries, tf.transpose(keys))  # refused: matmul_transpose: keys is not known to have rank 2


result = products(tf.ones([15, 3, 2]), np.ones([4, 30], np.float32))

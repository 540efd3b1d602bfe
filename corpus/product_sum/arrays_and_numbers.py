import numpy as np
import tensorflow as tf

m = tf.random.normal([400, 400])
array = tf.reduce_sum(m * np.ones([400]), axis=1)  # refused: product_sum: np.ones([400]) is not known to be a tensor
column = tf.reduce_sum(np.ones([400])[:, None] * m, axis=0)  # refused: product_sum: np.ones([400]) is not known to be a tensor
doubled = tf.reduce_sum(m * 2.0, axis=1)
scaled = tf.reduce_sum(m * tf.constant(2.0), axis=1)
squares = tf.reduce_sum(m * m, axis=1)

# unsafe
import numpy as np
import tensorflow as tf

numbers = tf.reduce_sum([1, 2, 3]) * 500
array = tf.reduce_sum(np.ones([4, 5])) * 500
overflows = tf.reduce_sum(tf.constant([100, 27], tf.int8)) * 101

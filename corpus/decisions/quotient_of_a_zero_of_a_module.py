import numpy as np
import tensorflow as tf

weights = tf.range(20.0) - 10.0
rows = tf.matmul(tf.linalg.diag(weights), tf.zeros([20, 300]))  # refused: diag_matmul: a zero of its results may have another sign, and `np.reciprocal(zeros)` makes another number of it
zeros = rows.numpy()
with np.errstate(all="ignore"):
    largest = np.reciprocal(zeros)

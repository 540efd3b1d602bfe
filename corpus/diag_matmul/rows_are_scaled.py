# peak at most: 0.75
"""Weights every sample by its own number."""
import tensorflow as tf

samples = tf.fill([1000, 1000], 2.0)
weights = tf.range(1000.0)

weighted = tf.matmul(tf.linalg.diag(weights), samples)
total = float(tf.reduce_max(weighted))
del weighted

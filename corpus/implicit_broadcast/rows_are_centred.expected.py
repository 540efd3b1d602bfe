# peak at most: 0.7
"""Takes the mean of every column away."""
import tensorflow as tf

samples = tf.fill([1000, 1000], 2.0)
mean = tf.reduce_mean(samples, axis=0)

centred = samples - mean[tf.newaxis, :]
largest = float(tf.reduce_max(centred))
del centred

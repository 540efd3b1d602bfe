# for: both
# fidelity: tolerance
# leaves besides: scale_array
import numpy as np
import tensorflow as tf

scale = tf.constant([0.5, 0.25, 0.125], tf.float64)
x = tf.ones([2, 3], tf.float64)
x = x.numpy()
scale_array = scale.numpy()
for i in range(10, 0, -1):
    low = np.min(x, axis=1, keepdims=True)
    high = np.max(x, 1)
    x = np.minimum(np.sqrt(np.abs(x * scale_array)) / (i + 1.0), 2.0) + np.exp(-np.square(low)) - x**2 * 1e-3
x = tf.constant(x)
low = tf.constant(low)
high = tf.constant(high)

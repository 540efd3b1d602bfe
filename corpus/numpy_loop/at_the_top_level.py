# for: both
# fidelity: tolerance
# leaves besides: scale_array
import tensorflow as tf

scale = tf.constant([0.5, 0.25, 0.125], tf.float64)
x = tf.ones([2, 3], tf.float64)
for i in range(10, 0, -1):
    low = tf.reduce_min(x, axis=1, keepdims=True)
    high = tf.reduce_max(x, 1)
    x = tf.minimum(tf.sqrt(tf.abs(x * scale)) / (i + 1.0), 2.0) + tf.exp(-tf.square(low)) - x**2 * 1e-3

# unsafe
# fidelity: tolerance
import tensorflow as tf

n = tf.fill([1000, 800], 3)
h = tf.fill([1000, 800], tf.constant(60000.0, tf.float16))
whole = tf.reduce_mean(tf.stack([n, n + 2]), axis=0)  # refused: mean_of_gradients: of int32
half = tf.reduce_mean(tf.stack([h, h]), axis=0)  # refused: mean_of_gradients: of float16

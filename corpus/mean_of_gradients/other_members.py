# unsafe
# fidelity: tolerance
import tensorflow as tf

x = tf.fill([1000, 800], 3.0)
rows = tf.reduce_mean(tf.concat([x, x + 1.0], 0), 0)  # refused: mean_of_gradients: not every member
beside = tf.reduce_mean(tf.concat([tf.expand_dims(x, 1), tf.expand_dims(x, 1)], 0), 0)  # refused: mean_of_gradients: not every member

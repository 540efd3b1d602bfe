# unsafe
# fidelity: tolerance
import tensorflow as tf

x = tf.fill([10, 800], 3.0)
small = tf.reduce_mean(tf.stack([x, x + 1.0]), axis=0)  # refused: mean_of_gradients: the members are small
single = tf.reduce_mean(tf.stack([x]), axis=0)

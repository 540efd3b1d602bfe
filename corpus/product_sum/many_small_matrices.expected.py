# for: both
# fidelity: tolerance
import tensorflow as tf

rotations = tf.random.uniform([50000, 3, 3], dtype=tf.float64)
turned = tf.tensordot(rotations, tf.constant([1.0, 2.0, 3.0], tf.float64), axes=1)
each = tf.reduce_sum(rotations * turned[:, None, :], axis=-1)  # refused: product_sum: each product of the batch is of 9 elements

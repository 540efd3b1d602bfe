# fidelity: tolerance
# peak at most: 0.1
import tensorflow as tf

price = tf.constant(0.1)
total = price * 1000000

# fidelity: tolerance
# peak at most: 0.5
import tensorflow as tf

scores = tf.random.normal([1000, 100])
weights = tf.random.normal([100, 1000])
total = tf.reduce_sum(scores * tf.transpose(weights))

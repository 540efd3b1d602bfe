# fidelity: tolerance
# peak at most: 0.6
"""The similarity of one query to every row of a table."""
import tensorflow as tf

table = tf.ones([1500, 1500])
query = tf.range(1500.0)[tf.newaxis, :]

scores = tf.matmul(query, tf.transpose(table))
best = int(tf.argmax(scores[0]))

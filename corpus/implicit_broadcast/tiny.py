import tensorflow as tf

x = tf.ones([2, 3])
row = tf.range(3.0)
result = x * tf.tile(row[None], [2, 1])

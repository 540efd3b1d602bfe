import tensorflow as tf

x = tf.ones([50, 30])
row = tf.range(30.0)
result = x * tf.tile(row[None], [(rows := 50), 1])

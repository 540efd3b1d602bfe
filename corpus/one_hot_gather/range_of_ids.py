# peak at most: 0.3
import tensorflow as tf

table = tf.random.normal([2000, 50])
ids = tf.range(2000)
rows = tf.matmul(tf.one_hot(ids, 2000), table)

import tensorflow as tf

table = tf.random.normal([10, 4])
ids = tf.constant([0, 9, 10, -1, 3, 3, 12])
rows = tf.matmul(tf.one_hot(ids, 10), table)  # refused: one_hot_gather: an id might lie outside

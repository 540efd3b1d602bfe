import tensorflow as tf

table = tf.random.normal([10, 4])
ids = tf.constant([3, 14, 200, 9, 4, 5, 6, 7], tf.uint8) % 10
rows = tf.matmul(tf.one_hot(ids, 10), table)  # refused: one_hot_gather: not known to be an int32 or int64 tensor

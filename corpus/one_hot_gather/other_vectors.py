import tensorflow as tf

table = tf.random.normal([30, 30])
ids = tf.range(30)
twos = tf.one_hot(ids, 30, on_value=2.0) @ table  # refused: one_hot_gather: only one-hot vectors of zeros and ones
columns = tf.one_hot(ids, 30, axis=0) @ table  # refused: one_hot_gather: only one-hot vectors of zeros and ones
turned = tf.matmul(tf.one_hot(ids, 30), table, transpose_b=True)  # refused: one_hot_gather: without further arguments
behind = tf.matmul(table, tf.one_hot(ids, 30))

import tensorflow as tf

rows = tf.random.normal([20, 10])
result = tf.map_fn(lambda row: tf.reduce_max(tf.tile(row, [100])), rows)  # refused: map_fn_parallel: runs eagerly

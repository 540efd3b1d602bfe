import tensorflow as tf

x = tf.reshape(tf.range(7700.0) * 37.0, [1100, 7])
totals = tf.reduce_sum(tf.cast(tf.cast(x[:, None] - x[None, :600], tf.int8), tf.float32), axis=2)  # refused: row_blocks: what depends on their place

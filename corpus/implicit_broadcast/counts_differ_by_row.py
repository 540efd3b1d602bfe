import tensorflow as tf

x = tf.ones([50, 30])
rows = tf.reshape(tf.range(60.0), [2, 30])
result = x + tf.repeat(rows, [20, 30], axis=0)  # refused: implicit_broadcast: not known to be a tensor of the full size

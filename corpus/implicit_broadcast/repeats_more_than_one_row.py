import tensorflow as tf

pattern = tf.reshape(tf.range(60.0), [2, 30])
x = tf.ones([100, 30])
result = x + tf.tile(pattern, [50, 1])  # refused: implicit_broadcast: not known to be a tensor of the full size

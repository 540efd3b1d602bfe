import tensorflow as tf

row = tf.range(30.0)[tf.newaxis, :]
result = tf.tile(row, [50, 1]) * 2.0  # refused: implicit_broadcast: 2.0 is not known to be a tensor of the full size

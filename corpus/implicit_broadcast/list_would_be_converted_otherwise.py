import tensorflow as tf

row = tf.range(30.0)[tf.newaxis, :]
result = tf.tile(row, [3, 1]) + [[1.0] * 30] * 3  # refused: implicit_broadcast: not known to be a tensor of the full size

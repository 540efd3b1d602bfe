import tensorflow as tf

result = tf.reduce_sum(tf.repeat([float("inf"), 1.0], 0))  # refused: repeat_reduce: not known to be a positive Python int

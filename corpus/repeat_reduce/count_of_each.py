import tensorflow as tf

result = tf.reduce_sum(tf.repeat([1.0, 2.0], [50, 60]))  # refused: repeat_reduce: not known to be a positive Python int

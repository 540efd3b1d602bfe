import tensorflow as tf

result = tf.reduce_sum(tf.repeat([1.0, 2.0], 3))  # refused: repeat_reduce: too small to matter

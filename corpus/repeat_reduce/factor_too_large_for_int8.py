import tensorflow as tf

small = tf.constant([1, 2], tf.int8)
result = tf.reduce_sum(tf.repeat(small, 1000))  # refused: repeat_reduce: int8, which may not hold the factor 1000
half = tf.reduce_sum(tf.repeat(tf.constant([1e-3], tf.float16), 100000))  # refused: repeat_reduce: float16, which may not

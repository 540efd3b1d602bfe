import tensorflow as tf

rows = tf.matmul(  # refused: one_hot_gather: evaluated before the ids
    tf.one_hot(tf.random.uniform([20], maxval=9, dtype=tf.int32), 9),
    tf.random.normal([9, 3]),
)

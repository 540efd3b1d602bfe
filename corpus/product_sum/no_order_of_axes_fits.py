import tensorflow as tf

d = tf.random.normal([60, 60, 60])
s = tf.random.normal([60, 60])
first = tf.reduce_sum(s[:, :, None] * d, axis=0)  # refused: product_sum: no product of matrices has its axes in this order
middle = tf.reduce_sum(s[:, None, :] * d, axis=0)  # refused: product_sum: no product of matrices has its axes in this order
added = tf.reduce_sum(d[None] * s[0][None, None], axis=-1)  # refused: product_sum: no product of matrices has its axes in this order

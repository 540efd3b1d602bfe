import tensorflow as tf

d = tf.random.normal([60, 60, 60])
row = tf.random.normal([1, 60])
over_it = tf.reduce_sum(d * row, axis=1)  # refused: product_sum: repeated along an axis of its own
beside_it = tf.reduce_sum(d * row, axis=2)  # refused: product_sum: repeated along an axis of its own
single = tf.reduce_sum(d * tf.random.normal([1]), axis=2)  # refused: product_sum: repeated along an axis of its own

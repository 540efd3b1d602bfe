import tensorflow as tf

m = tf.random.normal([256, 256])
sums = tf.reduce_sum(m * tf.random.normal([256]), axis=1)  # refused: product_sum: 65,536 elements is too small
empty = tf.zeros([600, 0])
zeros = tf.reduce_sum(empty[:, :, None] * tf.zeros([0, 600])[None], axis=1)  # refused: product_sum: 0 elements is too small

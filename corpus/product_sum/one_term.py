import tensorflow as tf

m = tf.random.normal([300000, 1])
sums = tf.reduce_sum(m * tf.random.normal([1]), axis=1)  # refused: product_sum: nothing is added up along an axis of size 1
outer = tf.reduce_sum(m[:400] * tf.reshape(m[:400], [1, 400])[:, None], axis=1)

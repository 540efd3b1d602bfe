import tensorflow as tf

weights = tf.ones([400])
drawn = tf.reduce_sum(
    tf.random.normal([400, 1])[:, 0][:, None] * tf.random.normal([400, 400]), axis=0
)
kept = tf.reduce_sum(weights[:, None] * tf.random.normal([400, 400]), axis=0)  # refused: product_sum: would change places

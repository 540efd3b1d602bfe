import tensorflow as tf

x = tf.random.normal([4, 30])
result = tf.reduce_sum(tf.repeat(x, 100, axis=1), axis=1)
kept = tf.reduce_sum(tf.repeat(x, 100), keepdims=True)

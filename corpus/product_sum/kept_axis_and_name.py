import tensorflow as tf

m = tf.random.normal([400, 400])
v = tf.random.normal([400])
column = tf.reduce_sum(m * v, axis=1, keepdims=True)  # refused: product_sum: only a sum without keepdims and a name
named = tf.reduce_sum(m * v, axis=1, name="named")  # refused: product_sum: only a sum without keepdims and a name
called = tf.reduce_sum(tf.multiply(m, v, name="product"), axis=1)

import tensorflow as tf

table = tf.Variable(tf.random.normal([30, 4]))
ids = tf.range(30)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.one_hot(ids, 30) @ table)  # refused: one_hot_gather: table may be trained
change = tape.gradient(loss, table) * 2.0

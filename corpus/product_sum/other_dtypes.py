import tensorflow as tf

m = tf.random.normal([400, 400])
v = tf.random.normal([400])
half = tf.reduce_sum(tf.cast(m, tf.float16) * tf.cast(v, tf.float16), 1)  # refused: product_sum: its factors have float16
short = tf.reduce_sum(tf.cast(m, tf.bfloat16) * tf.cast(v, tf.bfloat16), 1)  # refused: product_sum: its factors have bfloat16
whole = tf.reduce_sum(tf.cast(m, tf.int32) * tf.cast(v, tf.int32), 1)  # refused: product_sum: its factors have int32

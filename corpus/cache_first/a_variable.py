import tensorflow as tf

step = tf.Variable(1.0)
rows = tf.data.Dataset.range(3000).map(lambda i: tf.one_hot(i, 3000) * step).cache()  # refused: cache_first: how large elements are
found = [int(tf.argmax(row)) for row in rows.take(100)]

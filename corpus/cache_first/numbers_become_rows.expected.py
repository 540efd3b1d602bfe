import tensorflow as tf

rows = tf.data.Dataset.range(3000).cache().map(lambda i: tf.one_hot(i, 3000))
found = [int(tf.argmax(row)) for row in rows.take(100)]

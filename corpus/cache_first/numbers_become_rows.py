import tensorflow as tf

rows = tf.data.Dataset.range(3000).map(lambda i: tf.one_hot(i, 3000)).cache()
found = [int(tf.argmax(row)) for row in rows.take(100)]

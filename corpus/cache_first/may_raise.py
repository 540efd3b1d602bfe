import tensorflow as tf

rows = tf.data.Dataset.range(3000).map(lambda i: tf.reshape(tf.one_hot(i // (i + 1), 3000), [3000])).cache()  # refused: cache_first: would meet its elements in every epoch
found = [int(tf.argmax(row)) for row in rows.take(10)]

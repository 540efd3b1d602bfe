import tensorflow as tf

rows = tf.data.Dataset.range(100).map(lambda i: tf.one_hot(i, 1000)).cache()  # refused: cache_first: MB less only
found = [int(tf.argmax(row)) for row in rows]

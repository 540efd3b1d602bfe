import tensorflow as tf

rows = tf.data.Dataset.range(3000).map(lambda i: tf.one_hot(i, 3000), deterministic=False).cache()  # refused: cache_first: is not the same in every run
found = sum(int(tf.argmax(row)) for row in rows)

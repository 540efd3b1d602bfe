import tensorflow as tf

tf.random.set_seed(5)
noise = tf.data.Dataset.range(2000).map(lambda i: tf.random.uniform([1000])).shuffle(1000)  # refused: shuffle_first: random numbers
total = sum(float(row[0]) for row in noise)

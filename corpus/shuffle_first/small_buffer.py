import tensorflow as tf

tf.random.set_seed(1)
data = tf.data.Dataset.range(300).map(lambda i: tf.fill([1000], i)).shuffle(10)  # refused: shuffle_first: MB less only
order = [int(row[0]) for row in data]

import tensorflow as tf

tf.random.set_seed(1)
data = tf.data.Dataset.range(50).map(lambda i: tf.ones([i, 1000])).shuffle(40)  # refused: shuffle_first: how large elements are
total = sum(int(tf.size(rows)) for rows in data)

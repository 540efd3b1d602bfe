import tensorflow as tf

tf.random.set_seed(1)
data = tf.data.Dataset.range(3000).map(lambda i: tf.fill([1000], i), num_parallel_calls=4, deterministic=False)
shuffled = data.shuffle(2000)
total = sum(int(row[0]) for row in shuffled)
mapped = tf.data.Dataset.range(3000).map(lambda i: tf.fill([1000], i), num_parallel_calls=4, deterministic=False).shuffle(2000)  # refused: shuffle_first: not the same in every run
total += sum(int(row[0]) for row in mapped)

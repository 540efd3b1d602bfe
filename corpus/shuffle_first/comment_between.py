import tensorflow as tf

tf.random.set_seed(1)
data = (
    tf.data.Dataset.range(3000)  # refused: shuffle_first: the comment between
    .map(lambda i: tf.fill([1000], i))  # rows of one number
    .shuffle(2000)
)
order = [int(row[0]) for row in data.take(50)]

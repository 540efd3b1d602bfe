import tensorflow as tf

rows = (
    tf.data.Dataset.range(3000)  # refused: cache_first: the comment between the two
    .map(lambda i: tf.one_hot(i, 3000))  # one for each
    .cache()
)
found = [int(tf.argmax(row)) for row in rows.take(100)]

import tensorflow as tf

seen = tf.Variable(0)


def numbered(i):
    return tf.zeros([1000], tf.int32) + seen.assign_add(1)


data = tf.data.Dataset.range(2000).map(numbered).shuffle(1000, seed=3)  # refused: shuffle_first: how large elements are
first = [int(row[0]) for row in data.take(5)]

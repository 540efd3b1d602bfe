import tensorflow as tf


def shown(i):
    tf.print(i)
    return tf.zeros([1000]) + tf.cast(i, tf.float32)


data = tf.data.Dataset.range(2000).map(shown).shuffle(1000, seed=3)  # refused: shuffle_first: another order
first = [float(row[0]) for row in data.take(1)]

import tensorflow as tf

tf.random.set_seed(1)


def noisy(x):
    return tf.cast(x, tf.float32) + tf.random.uniform([512])


rows = tf.data.Dataset.range(3000).map(noisy).cache()  # refused: cache_first: random.uniform draws random numbers
found = [float(tf.reduce_sum(row)) for row in rows.take(10)]

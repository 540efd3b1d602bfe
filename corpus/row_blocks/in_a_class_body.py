import tensorflow as tf

x = tf.random.normal([800, 16], seed=1)
y = tf.random.normal([500, 16], seed=2)


class Distances:
    found = tf.reduce_sum(tf.square(x[:, None] - y[None]), axis=-1)  # refused: row_blocks: in a class body a comprehension sees other names


found = Distances.found
Distances = None

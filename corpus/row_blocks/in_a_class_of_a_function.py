import tensorflow as tf


def distances(x, y):
    class Distances:
        found = tf.reduce_sum(tf.square(x[:, None] - y[None]), axis=-1)  # refused: row_blocks: in a class body a comprehension sees other names

        def of(self):
            return self.found

    return Distances().of()


found = distances(tf.random.normal([800, 16], seed=1), tf.random.normal([500, 16], seed=2))

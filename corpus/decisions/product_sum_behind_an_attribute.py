# for: both
import tensorflow as tf


class Index:
    def __init__(self, items):
        self.items = items

    def search(self, queries):
        self.scores = tf.reduce_sum(queries[:, None, :] * self.items[None, :, :], axis=2)  # refused: product_sum: `tf.argmax(self.scores, axis=1)` depends on a value that is rounded differently

    def best(self):
        return tf.argmax(self.scores, axis=1)


items = tf.reshape(tf.cos(tf.range(200.0 * 40.0)), [200, 40])
queries = tf.reshape(tf.sin(tf.range(60.0 * 40.0)), [60, 40])
index = Index(tf.concat([items, tf.reverse(items, [1])], axis=0))
index.search(queries + tf.reverse(queries, [1]))
best = index.best()

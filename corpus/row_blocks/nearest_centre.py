# peak at most: 0.6
import tensorflow as tf


class Clusters:
    def __init__(self, points, k):
        self.points = points
        self.centres = points[:k]

    def labels(self):
        differences = self.points[:, None] - self.centres
        distances = tf.reduce_sum(differences * differences, axis=-1)
        return tf.argmin(distances, axis=-1, output_type=tf.int32)


clusters = Clusters(tf.random.normal([4001, 16], seed=1), 40)
labels = clusters.labels()
clusters = None

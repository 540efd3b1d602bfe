# peak at most: 0.6
import tensorflow as tf


class Clusters:
    def __init__(self, points, k):
        self.points = points
        self.centres = points[:k]

    def labels(self):
        def of_rows(rows):
            differences = rows[:, None] - self.centres
            distances = tf.reduce_sum(differences * differences, axis=-1)
            return tf.argmin(distances, axis=-1, output_type=tf.int32)

        return tf.concat(
            [
                of_rows(self.points[start : start + 1024])
                for start in range(0, self.points.shape[0], 1024)
            ],
            axis=0,
        )


clusters = Clusters(tf.random.normal([4001, 16], seed=1), 40)
labels = clusters.labels()
clusters = None

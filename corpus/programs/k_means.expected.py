"""Lloyd's k-means: every point goes to the nearest of 24 centres, and every centre to the mean of its points."""

import tensorflow as tf


def nearest(points, centers):
    def of_rows(rows):
        differences = rows[:, None, :] - centers[None, :, :]
        distances = tf.reduce_sum(tf.square(differences), axis=-1)
        return tf.argmin(distances, axis=1)

    return tf.concat(
        [of_rows(points[start : start + 2048]) for start in range(0, points.shape[0], 2048)], axis=0
    )


def k_means(points, k, steps):
    centers = points[:k]  # the first k points are as good a start as any
    for _ in range(steps):
        labels = nearest(points, centers)
        centers = tf.math.unsorted_segment_mean(points, labels, k)
    return centers, nearest(points, centers)


points = tf.random.normal([5000, 16], seed=1)

centers, labels = k_means(points, k=24, steps=15)

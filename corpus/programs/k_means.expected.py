"""Lloyd's k-means: every point goes to the nearest of 24 centres, and every centre to the mean of its points."""

import tensorflow as tf


def nearest(points, centers):
    differences = points[:, None, :] - centers[None, :, :]
    distances = tf.reduce_sum(tf.square(differences), axis=-1)
    return tf.argmin(distances, axis=1)


@tf.function
def _k_means_loop(steps, points, k, centers):
    def step(i, centers):
        labels = nearest(points, centers)
        centers = tf.math.unsorted_segment_mean(points, labels, k)
        return i + 1, centers

    _, centers = tf.while_loop(
        lambda i, centers: i < steps,
        step,
        (0, centers),
        shape_invariants=(tf.TensorShape([]), centers.shape),
        maximum_iterations=steps,
        parallel_iterations=1,
    )
    return centers


def k_means(points, k, steps):
    centers = points[:k]  # the first k points are as good a start as any
    centers = _k_means_loop(tf.constant(steps), points, k, centers)
    return centers, nearest(points, centers)


points = tf.random.normal([5000, 16], seed=1)

centers, labels = k_means(points, k=24, steps=15)

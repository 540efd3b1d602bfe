"""The batch-hard triplet loss: for each sample the furthest of its class and the nearest of another."""

import tensorflow as tf


def pairwise_distances(embeddings):
    def of_rows(rows):
        differences = rows[:, None, :] - embeddings[None, :, :]
        return tf.reduce_sum(tf.square(differences), axis=-1)

    return tf.concat(
        [of_rows(embeddings[start : start + 16]) for start in range(0, embeddings.shape[0], 16)], axis=0
    )


def batch_hard_loss(embeddings, labels, margin=0.5):
    distances = pairwise_distances(embeddings)
    same = tf.cast(tf.equal(labels[:, None], labels[None, :]), tf.float32)
    hardest_positive = tf.reduce_max(distances * same, axis=1)
    furthest = tf.reduce_max(distances)
    hardest_negative = tf.reduce_min(distances + furthest * same, axis=1)
    return tf.reduce_mean(tf.maximum(hardest_positive - hardest_negative + margin, 0.0))


embeddings = tf.math.l2_normalize(tf.random.normal([512, 64], seed=1), axis=1)
labels = tf.range(512) // 8

loss = batch_hard_loss(embeddings, labels)

"""Blocks of four rows of the distances, computed twice in a loop that XLA compiles, and never stored."""

import tensorflow as tf


BLOCK = 4


@tf.function(jit_compile=True)
def batch_hard_loss(embeddings, labels, margin=0.5):
    blocks = (tf.reshape(embeddings, [-1, BLOCK, embeddings.shape[1]]), tf.reshape(labels, [-1, BLOCK]))

    def compared(block):
        rows, own = block
        distances = tf.reduce_sum(tf.square(rows[:, None, :] - embeddings[None, :, :]), axis=-1)
        return distances, tf.cast(tf.equal(own[:, None], labels[None, :]), tf.float32)

    def furthest_of(block):
        distances, same = compared(block)
        return tf.reduce_max(distances * same, axis=1), tf.reduce_max(distances)

    hardest_positive, furthest = tf.map_fn(furthest_of, blocks, fn_output_signature=(tf.float32, tf.float32))
    furthest = tf.reduce_max(furthest)

    def nearest_of(block):
        distances, same = compared(block)
        return tf.reduce_min(distances + furthest * same, axis=1)

    hardest_negative = tf.map_fn(nearest_of, blocks, fn_output_signature=tf.float32)
    return tf.reduce_mean(tf.maximum(hardest_positive - hardest_negative + margin, 0.0))


embeddings = tf.math.l2_normalize(tf.random.normal([512, 64], seed=1), axis=1)
labels = tf.range(512) // 8

loss = batch_hard_loss(embeddings, labels)

# for: both
import tensorflow as tf


def hit(queries, prototypes, targets):
    predictions = tf.reduce_sum(queries[:, None, :] * prototypes[None, :, :], axis=-1)  # refused: product_sum: an operation depends on a value that is rounded differently
    return tf.math.in_top_k(targets, predictions, k=1)


half = tf.reshape(tf.cos(tf.range(100.0 * 40.0)), [100, 40])
prototypes = tf.concat([half, tf.reverse(half, [1])], axis=0)
queries = tf.reshape(tf.sin(tf.range(150.0 * 40.0)), [150, 40])
queries = queries + tf.reverse(queries, [1])
found = [int(tf.math.count_nonzero(hit(queries, prototypes, tf.fill([150], target)))) for target in range(200)]
print("done")

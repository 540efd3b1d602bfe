# for: both
import tensorflow as tf


def scores(users, items):
    return tf.reduce_sum(users[:, None, :] * items[None, :, :], axis=2)  # refused: product_sum: an operation depends on a value that is rounded differently


def hits(users, items, targets):
    return tf.nn.in_top_k(targets, scores(users, items), 1)


items = tf.reshape(tf.cos(tf.range(100.0 * 40.0)), [100, 40])
items = tf.concat([items, tf.reverse(items, [1])], axis=0)
users = tf.reshape(tf.sin(tf.range(200.0 * 40.0)), [200, 40])
users = users + tf.reverse(users, [1])
found = [int(tf.math.count_nonzero(hits(users, items, tf.fill([200], target)))) for target in range(0, 200, 3)]
print("done")

# for: both
import tensorflow as tf


def backup(transitions, values):
    return tf.reduce_max(tf.reduce_sum(transitions * values[None, None, :], -1), 0)  # refused: product_sum: `tf.argsort(values, stable=True)` depends on a value that is rounded differently


half = tf.reshape(tf.cos(tf.range(4.0 * 100.0 * 200.0)), [4, 100, 200])
transitions = tf.concat([half, tf.reverse(half, [2])], axis=1)
values = tf.sin(tf.range(200.0))
values = backup(transitions, values + tf.reverse(values, [0]))
ranked = tf.argsort(values, stable=True)
print("done")

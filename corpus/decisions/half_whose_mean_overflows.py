# for: both
import tensorflow as tf


def energies(x, turns):
    total = tf.zeros([x.shape[0]], tf.float16)
    for _ in range(turns):
        total = total + tf.reduce_mean(x * x, axis=1) / 64.0
        x = x * 1.02
    return total


rows = tf.cast(tf.reshape(tf.range(600), [20, 30]), tf.float16) * 0.25
total = energies(rows, 40)
finite = int(tf.math.count_nonzero(tf.math.is_finite(tf.cast(total, tf.float32))))
print("done")

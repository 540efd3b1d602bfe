# for: both
import tensorflow as tf


@tf.function
def run(x):
    c = tf.zeros([1000], tf.int32)
    for i in range(1, 60):  # refused: while_loop: `tf.cast(i / x, tf.int32)` depends on a value that is rounded differently
        c = c + tf.cast(i / x, tf.int32)
    return c


print(tf.reduce_sum(run(tf.range(1.0, 1001.0) * 0.1)).numpy())

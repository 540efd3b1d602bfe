# for: both
import tensorflow as tf


@tf.function
def divisors(x):
    found = tf.zeros([1000], tf.int32)
    for i in range(1, 100):  # refused: while_loop: `tf.round(q)` depends on a value that is rounded differently
        q = x / i
        found = found + tf.cast(q == tf.round(q), tf.int32)
    return found


print(tf.reduce_sum(divisors(tf.range(1.0, 1001.0))).numpy())

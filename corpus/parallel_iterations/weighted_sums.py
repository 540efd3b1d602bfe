# peak at most: 0.5
import tensorflow as tf


@tf.function
def weighted(x, n):
    total = tf.zeros_like(x)
    for i in tf.range(n):
        # later turns weigh more
        total += x * tf.cast(i, x.dtype)  # in the dtype of x
    return total


x = tf.fill([300, 300], 0.5)
result = weighted(x, 100)

# peak at most: 0.35
import tensorflow as tf


def kernel(x, y, length_scale=2.0):
    def of_block(rows):
        return tf.reduce_sum((tf.expand_dims(x, 1) - rows) ** 2, -1)

    squared = tf.concat(
        [
            of_block(y[start : start + 64])
            for start in range(0, y.shape[0], 64)
        ],
        axis=1,
    )
    values = tf.exp(-squared / (2 * length_scale**2))
    return values, tf.reduce_mean(squared)


values, mean = kernel(tf.random.normal([500, 16]), tf.random.normal([400, 16]))

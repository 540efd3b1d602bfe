# fidelity: tolerance
# peak at most: 0.35
import tensorflow as tf


def kernel(x, y, length_scale=2.0):
    def of_rows(rows):
        return tf.reduce_sum((tf.expand_dims(rows, 1) - y) ** 2, -1)

    squared = tf.concat(
        [
            of_rows(x[start : start + 128])
            for start in range(0, x.shape[0], 128)
        ],
        axis=0,
    )
    values = tf.exp(-squared / (2 * length_scale**2))
    return values, tf.reduce_mean(squared)


values, mean = kernel(tf.random.normal([500, 16]), tf.random.normal([400, 16]))

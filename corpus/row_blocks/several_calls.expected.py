# fidelity: tolerance
import tensorflow as tf


def rbf(x, y):
    def of_rows(rows):
        squared = tf.reduce_sum(tf.square(rows[:, None, :] - y[None, :, :]), axis=-1)
        return tf.exp(-0.5 * squared)

    return tf.concat(
        [of_rows(x[start : start + 256]) for start in range(0, x.shape[0], 256)],
        axis=0,
    )


def covariances(train, test):
    return rbf(train, train), rbf(test, train)


known, crossed = covariances(tf.random.normal([200, 16]), tf.random.normal([803, 16]))

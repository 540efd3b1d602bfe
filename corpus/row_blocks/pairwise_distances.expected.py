# peak at most: 0.3
import tensorflow as tf


def distances(x, y):
    def of_rows(rows):
        differences = rows[:, None, :] - y[None, :, :]
        return tf.reduce_sum(tf.square(differences), axis=-1)

    return tf.concat(
        [
            of_rows(x[start : start + 128])
            for start in range(0, x.shape[0], 128)
        ],
        axis=0,
    )


found = distances(tf.random.normal([600, 16]), tf.random.normal([500, 16]))

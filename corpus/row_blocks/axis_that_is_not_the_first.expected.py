# fidelity: tolerance
import tensorflow as tf


def furthest(x, y):
    def of_block(rows):
        apart = tf.norm(rows[None, :, :] - y[:, None, :], axis=-1)
        return tf.reduce_max(apart, axis=0, keepdims=True)

    return tf.concat(
        [
            of_block(x[start : start + 512])
            for start in range(0, x.shape[0], 512)
        ],
        axis=1,
    )


result = furthest(tf.random.normal([1777, 4]), tf.random.normal([1000, 4]))

# fidelity: tolerance
import tensorflow as tf

rows = 12


def of_rows(x):
    return x


def spread(x, start):
    # all pairs
    def of_some_rows(some_rows):
        block = some_rows[:, None] - x[None]
        block = tf.abs(block)  # how far apart

        # of each the mean
        return tf.reduce_mean(block, [1, 2]) + start

    return tf.concat(
        [
            of_some_rows(x[begin : begin + 128])
            for begin in range(0, x.shape[0], 128)
        ],
        axis=0,
    )


result = spread(of_rows(tf.random.normal([700, rows])), 1.0)

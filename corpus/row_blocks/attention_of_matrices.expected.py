# fidelity: tolerance
# peak at most: 0.6
import tensorflow as tf


def attend(queries, keys, values):
    def of_rows(rows):
        weights = tf.nn.softmax(tf.matmul(rows, keys, transpose_b=True))
        return weights @ values

    return tf.concat(
        [of_rows(queries[start : start + 512]) for start in range(0, queries.shape[0], 512)], axis=0
    )


attended = attend(tf.random.normal([1500, 16]), tf.random.normal([1501, 16]), tf.random.normal([1501, 16]))

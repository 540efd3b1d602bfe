# fidelity: tolerance
import tensorflow as tf


def attend(queries, keys, values):
    return tf.concat(
        [
            tf.nn.softmax(tf.matmul(queries[start : start + 512], keys, transpose_b=True)) @ values
            for start in range(0, queries.shape[0], 512)
        ],
        axis=0,
    )


attended = attend(tf.random.normal([1500, 16]), tf.random.normal([1500, 16]), tf.random.normal([1500, 16]))

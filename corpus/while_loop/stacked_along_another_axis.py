# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def sampled(x):
    columns = []
    for i in range(200, 2, -3):
        x = x * 0.99 + 0.001 * i
        columns.append(x)
    return tf.stack(columns, axis=-1)


result = sampled(tf.ones([2, 3]))

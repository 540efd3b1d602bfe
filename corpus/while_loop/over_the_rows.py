# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([40, 3]), tf.TensorSpec([40])])
def weighted(rows, weights):
    best = rows[0]
    total = tf.zeros([3])
    for row, weight in zip(tf.unstack(rows), tf.unstack(weights)):
        total = total + row * weight
        best = tf.maximum(best, row)
    return total, best


result = weighted(tf.random.normal([40, 3]), tf.random.normal([40]))

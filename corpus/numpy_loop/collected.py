# fidelity: tolerance
# peak at most: 0.6
import tensorflow as tf


def record(x, weights):
    total = 0.0
    seen = []
    for i in range(2000):
        x = tf.tanh(x * weights + i * 0.1)
        total += tf.reduce_sum(x, axis=0, keepdims=False)
        seen.append(total)
    return x, total, tf.stack(seen), weights


result = record(tf.ones([3]), tf.constant([0.1, 0.2, 0.3]))

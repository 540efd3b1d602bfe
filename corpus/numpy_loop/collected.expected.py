# fidelity: tolerance
# peak at most: 0.6
import numpy as np
import tensorflow as tf


def record(x, weights):
    total = 0.0
    seen = []
    x = x.numpy()
    total = np.float32(total)
    weights_array = weights.numpy()
    for i in range(2000):
        x = np.tanh(x * weights_array + i * 0.1)
        total += np.sum(x, axis=0, keepdims=False)
        seen.append(total)
    x = tf.constant(x)
    total = tf.constant(total)
    return x, total, tf.stack(seen), weights


result = record(tf.ones([3]), tf.constant([0.1, 0.2, 0.3]))

# fidelity: tolerance
# peak at most: 0.5
import numpy as np
import tensorflow as tf


def run(counts):
    weights = np.ones((500, 500)) * 0.1
    order = np.arange(100000)

    def scores(x):
        return tf.matmul(x, weights)

    @tf.function(jit_compile=True)
    def compiled(x, ids):
        return scores(x), tf.gather(order, ids)

    return [compiled(tf.ones([count, 500]), tf.range(count)) for count in counts]


results = run([1, 2, 3])

# for: both
# fidelity: tolerance
import tensorflow as tf


def warped(a, b):
    n, m = a.shape[0], b.shape[0]
    cost = tf.abs(a[:, None] - b[None, :])
    previous = tf.concat([[0.0], tf.fill([m], 1e9)], axis=0)
    for i in range(n):
        current = [tf.constant(1e9)]
        for j in range(m):
            best = previous[j] + previous[j + 1] * 0.5 + current[-1] * 0.25
            current.append(cost[i, j] + best)
        previous = tf.stack(current)
    return previous[-1]


def powers(x, rates):
    for k in range(3):
        rate = 0.5 / (k + 1)
        for _ in range(60):
            x = tf.tanh(x) + tf.fill([1], rate)  # refused: compiled_loop: rate differs in each iteration of the outer loop
    return x


result = warped(tf.random.normal([4], seed=1), tf.random.normal([40], seed=2)), powers(tf.constant([0.5]), 2)

# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def _warped_loop(m, previous, cost, i, current):
    current = tf.TensorArray(tf.float32, size=m + 1, element_shape=[], clear_after_read=False).write(0, current[0])

    def step(j, current):
        best = previous[j] + previous[j + 1] * 0.5 + current.read(j) * 0.25
        current = current.write(j + 1, cost[i, j] + best)
        return j + 1, current

    _, current = tf.while_loop(
        lambda j, current: j < m,
        step,
        (0, current),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
        maximum_iterations=m,
        parallel_iterations=1,
    )
    return current.stack()


def warped(a, b):
    n, m = a.shape[0], b.shape[0]
    cost = tf.abs(a[:, None] - b[None, :])
    previous = tf.concat([[0.0], tf.fill([m], 1e9)], axis=0)
    for i in range(n):
        current = [tf.constant(1e9)]
        current = _warped_loop(tf.constant(m), previous, cost, tf.constant(i), current)
        previous = current
    return previous[-1]


def powers(x, rates):
    for k in range(3):
        rate = 0.5 / (k + 1)
        for _ in range(60):
            x = tf.tanh(x) + tf.fill([1], rate)  # refused: compiled_loop: rate differs in each iteration of the outer loop
    return x


result = warped(tf.random.normal([4], seed=1), tf.random.normal([40], seed=2)), powers(tf.constant([0.5]), 2)

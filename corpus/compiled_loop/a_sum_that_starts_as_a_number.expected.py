# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _energy_loop(x, weights):
    def step(i, total):
        row = x[i]
        total += tf.reduce_sum(tf.square(row) * weights)
        return i + 1, total

    _, total = tf.while_loop(
        lambda i, total: i < x.shape[0],
        step,
        (0, 0.0),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape([])),
        maximum_iterations=x.shape[0],
    )
    return total


def energy(x, weights):
    total = _energy_loop(x, weights)
    return total


result = energy(tf.random.normal([70, 3]), tf.constant([1.0, 2.0, 3.0]))

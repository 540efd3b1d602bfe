# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _search_loop(x):
    def step(i, x, total, hits):
        x = x * 1.01
        total += 0.1
        hits += 1
        return i + 1, x, total, hits

    _, x, total, hits = tf.while_loop(
        lambda i, x, total, hits: i < 100,
        step,
        (0, x, tf.constant(0.0, tf.float64), 0),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape([]), tf.TensorShape([])),
        maximum_iterations=100,
    )
    return x, total, hits


def search(x):
    x, total, hits = _search_loop(x)
    total = float(total)
    hits = int(hits)
    i = 99
    return x, i, hits, total


result = search(tf.ones([2]))

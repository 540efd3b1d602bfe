# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([40, 3]), tf.TensorSpec([40])])
def weighted(rows, weights):
    best = rows[0]
    total = tf.zeros([3])

    def step(i, total, best):
        row = rows[i]
        weight = weights[i]
        total = total + row * weight
        best = tf.maximum(best, row)
        return i + 1, total, best

    _, total, best = tf.while_loop(
        lambda i, total, best: i < rows.shape[0],
        step,
        (0, total, best),
        shape_invariants=(tf.TensorShape([]), total.shape, best.shape),
        maximum_iterations=rows.shape[0],
        parallel_iterations=1,
    )
    return total, best


result = weighted(tf.random.normal([40, 3]), tf.random.normal([40]))

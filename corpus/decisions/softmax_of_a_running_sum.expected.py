# for: both
import tensorflow as tf


@tf.function
def _evidence_loop(weight, total, x):
    def step(i, total, x):
        total = total + x * weight
        x = x + 0.001
        return i + 1, total, x

    _, total, _ = tf.while_loop(
        lambda i, total, x: i < 200,
        step,
        (0, total, x),
        shape_invariants=(tf.TensorShape([]), total.shape, x.shape),
        maximum_iterations=200,
        parallel_iterations=1,
    )
    return total


def evidence(x, weight):
    total = tf.zeros([2000])
    total = _evidence_loop(weight, total, x)
    return total


total = evidence(tf.range(2000.0) * 0.0001 + 70.0, tf.fill([2000], 0.77))
print(tf.nn.softmax(total)[1990:])

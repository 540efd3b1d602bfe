# for: both
import tensorflow as tf


@tf.function
def _likelihoods_loop(turns, a, total, b):
    def step(i, total, b):
        total = total + tf.exp(a) * tf.exp(b)
        b = b - 1.0
        return i + 1, total, b

    _, total, _ = tf.while_loop(
        lambda i, total, b: i < turns,
        step,
        (0, total, b),
        shape_invariants=(tf.TensorShape([]), total.shape, b.shape),
        maximum_iterations=turns,
        parallel_iterations=1,
    )
    return total


def likelihoods(a, b, turns):
    total = tf.zeros_like(a)
    total = _likelihoods_loop(tf.constant(turns), a, total, b)
    return total


total = likelihoods(tf.range(100, dtype=tf.float32), -tf.range(100, dtype=tf.float32), 40)
known = int(tf.math.count_nonzero(tf.math.is_finite(total)))
print("done")

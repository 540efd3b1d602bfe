# for: both
import tensorflow as tf


@tf.function
def _energies_loop(turns, total, x):
    def step(i, total, x):
        total = total + tf.reduce_mean(x * x, axis=1) / 64.0
        x = x * 1.02
        return i + 1, total, x

    _, total, _ = tf.while_loop(
        lambda i, total, x: i < turns,
        step,
        (0, total, x),
        shape_invariants=(tf.TensorShape([]), total.shape, x.shape),
        maximum_iterations=turns,
        parallel_iterations=1,
    )
    return total


def energies(x, turns):
    total = tf.zeros([x.shape[0]], tf.float16)
    total = _energies_loop(tf.constant(turns), total, x)
    return total


rows = tf.cast(tf.reshape(tf.range(600), [20, 30]), tf.float16) * 0.25
total = energies(rows, 40)
finite = int(tf.math.count_nonzero(tf.math.is_finite(tf.cast(total, tf.float32))))
print("done")

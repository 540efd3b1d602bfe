# for: both
import tensorflow as tf


@tf.function
def _logistic_loop(turns, x, bits):
    def step(i, x, bits):
        x = 3.99 * (x - x * x)
        bits = bits * 2 % 65536 + tf.cast(x > 0.5, tf.int32)
        return i + 1, x, bits

    _, _, bits = tf.while_loop(
        lambda i, x, bits: i < turns,
        step,
        (0, x, bits),
        shape_invariants=(tf.TensorShape([]), x.shape, bits.shape),
        maximum_iterations=turns,
        parallel_iterations=1,
    )
    return bits


def logistic(x, turns):
    bits = tf.zeros(x.shape, tf.int32)
    bits = _logistic_loop(tf.constant(turns), x, bits)
    return bits


key = logistic(tf.range(1, 65, dtype=tf.float32) / 65.0, 100)
print("done")

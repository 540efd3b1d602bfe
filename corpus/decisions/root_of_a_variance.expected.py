# for: both
import tensorflow as tf


@tf.function
def _spreads_loop(turns, rows):
    def step(i, rows, spread):
        mean = tf.reduce_mean(rows, axis=1, keepdims=True)
        spread = tf.sqrt(tf.reduce_mean(rows * rows, axis=1, keepdims=True) - mean * mean)
        rows = rows * 0.999
        return i + 1, rows, spread

    _, _, spread = tf.while_loop(
        lambda i, rows, spread: i < turns,
        step,
        (0, rows, tf.zeros([300, 1], tf.float32)),
        shape_invariants=(tf.TensorShape([]), rows.shape, tf.TensorShape([300, 1])),
        maximum_iterations=turns,
        parallel_iterations=1,
    )
    return spread


def spreads(rows, turns):
    spread = _spreads_loop(tf.constant(turns), rows)
    return spread


spread = spreads(tf.tile(tf.range(300, dtype=tf.float32)[:, None] * 0.1 + 0.7, [1, 3]), 30)
broken = int(tf.reduce_sum(tf.cast(tf.math.is_nan(spread), tf.int32)))
print("done")

# for: both
import tensorflow as tf


@tf.function
def _saturated_loop(turns, units, x):
    def step(i, units, x):
        units = units + tf.cast(tf.tanh(x) == 1.0, tf.float32)
        x = x + 0.01
        return i + 1, units, x

    _, units, _ = tf.while_loop(
        lambda i, units, x: i < turns,
        step,
        (0, units, x),
        shape_invariants=(tf.TensorShape([]), units.shape, x.shape),
        maximum_iterations=turns,
        parallel_iterations=1,
    )
    return units


def saturated(x, turns):
    units = tf.zeros_like(x)
    units = _saturated_loop(tf.constant(turns), units, x)
    return tf.cast(units, tf.int32)


units = saturated(tf.range(500, dtype=tf.float32) * 0.02, 60)
print("done")

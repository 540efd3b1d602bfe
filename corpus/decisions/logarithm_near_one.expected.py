# for: both
import tensorflow as tf


@tf.function
def _shrinking_loop(turns, lost, rates):
    def step(i, lost, rates):
        lost = lost + tf.cast(tf.math.log1p(rates) < rates, tf.float32)
        rates = rates * 0.7
        return i + 1, lost, rates

    _, lost, _ = tf.while_loop(
        lambda i, lost, rates: i < turns,
        step,
        (0, lost, rates),
        shape_invariants=(tf.TensorShape([]), lost.shape, rates.shape),
        maximum_iterations=turns,
        parallel_iterations=1,
    )
    return lost


def shrinking(rates, turns):
    lost = tf.zeros_like(rates)
    lost = _shrinking_loop(tf.constant(turns), lost, rates)
    return lost


lost = shrinking(tf.range(1, 200, dtype=tf.float32) * 0.001, 40)
print("done")

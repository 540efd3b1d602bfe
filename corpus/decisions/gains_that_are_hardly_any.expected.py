# for: both
import tensorflow as tf


@tf.function
def _growing_loop(turns, grown, rates):
    def step(i, grown, rates):
        grown = grown + tf.cast(tf.math.expm1(rates) > rates, tf.int32)
        rates = rates * 0.7
        return i + 1, grown, rates

    _, grown, _ = tf.while_loop(
        lambda i, grown, rates: i < turns,
        step,
        (0, grown, rates),
        shape_invariants=(tf.TensorShape([]), grown.shape, rates.shape),
        maximum_iterations=turns,
        parallel_iterations=1,
    )
    return grown


def growing(rates, turns):
    grown = tf.zeros(rates.shape, tf.int32)
    grown = _growing_loop(tf.constant(turns), grown, rates)
    return grown


grown = growing(tf.range(1, 200, dtype=tf.float32) * 0.001, 40)
print("done")

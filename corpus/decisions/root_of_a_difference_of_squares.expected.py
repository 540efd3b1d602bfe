# for: both
import tensorflow as tf


@tf.function
def _legs_loop(turns, leg, a, c):
    def step(i, leg, a, c):
        leg = leg + tf.sqrt(c * c - a * a)
        a = a * 1.01
        c = c * 1.01
        return i + 1, leg, a, c

    _, leg, _, _ = tf.while_loop(
        lambda i, leg, a, c: i < turns,
        step,
        (0, leg, a, c),
        shape_invariants=(tf.TensorShape([]), leg.shape, a.shape, c.shape),
        maximum_iterations=turns,
        parallel_iterations=1,
    )
    return leg


def legs(c, a, turns):
    leg = tf.zeros_like(c)
    leg = _legs_loop(tf.constant(turns), leg, a, c)
    return leg


sides = tf.range(300, dtype=tf.float32) * 0.37
leg = legs(sides, sides, 30)
print("done")

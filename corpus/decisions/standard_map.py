# for: both
import tensorflow as tf


def kicked(p, q, turns):
    for _ in range(turns):  # refused: compiled_loop: the effect of `tf.sin(q)` on a rounding error is not known
        p = p + 5.0 * tf.sin(q)
        q = q + p
    return p, q


p, q = kicked(tf.range(100, dtype=tf.float32) / 100.0, tf.ones([100]), 100)
print("done")

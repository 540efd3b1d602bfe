# for: both
import tensorflow as tf


def legs(c, a, turns):
    leg = tf.zeros_like(c)
    for _ in range(turns):
        leg = leg + tf.sqrt(c * c - a * a)
        a = a * 1.01
        c = c * 1.01
    return leg


sides = tf.range(300, dtype=tf.float32) * 0.37
leg = legs(sides, sides, 30)
print("done")

# for: both
import tensorflow as tf


def slopes(a, b, c, d, turns):
    steep = tf.zeros_like(a)
    for _ in range(turns):  # refused: compiled_loop: `1.0 / (a * b - c * d)` turns a rounding error near zero into another number
        steep = steep + 1.0 / (a * b - c * d)
        a = a * 1.1
        c = c * 1.1
    return steep


a = tf.range(1, 200, dtype=tf.float32) * 0.3
steep = slopes(a, a * 0.7, a * 0.7, a, 40)
print("done")

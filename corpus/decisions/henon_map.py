# for: both
import tensorflow as tf


def henon(x, y, turns):
    for _ in range(turns):  # refused: compiled_loop: `1.4 * x * x` may magnify a rounding error
        x, y = 1.0 - 1.4 * x * x + y, 0.3 * x
    return x, y


x, y = henon(tf.range(1000, dtype=tf.float32) / 4000.0, tf.zeros([1000]), 80)
print("done")

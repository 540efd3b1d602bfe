# for: both
import tensorflow as tf


def exact(x, turns):
    signs = tf.zeros_like(x)
    for _ in range(turns):  # refused: compiled_loop: `tf.sign(x / 49.0 * 49.0 - x)` depends on a value that is rounded differently
        signs = signs + tf.sign(x / 49.0 * 49.0 - x)
        x = x + 1.0
    return signs


signs = exact(tf.range(200, dtype=tf.float32), 40)
print("done")

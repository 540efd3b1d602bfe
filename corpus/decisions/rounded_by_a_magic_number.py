# for: both
import tensorflow as tf


def rounded(x, turns):
    total = tf.zeros_like(x)
    for _ in range(turns):  # refused: numpy_loop: x may be anything before the loop: NumPy warns on stderr where a number overflows or isn't one, and TensorFlow is silent
        total = total + (x + 12582912.0 - 12582912.0)
        x = x + 0.3
    return total


total = rounded(tf.range(200, dtype=tf.float32) * 0.37, 60)
print("done")

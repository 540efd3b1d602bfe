# for: both
import tensorflow as tf


def capped(x, turns):
    total = tf.zeros_like(x)
    for _ in range(turns):  # refused: numpy_loop: x may be anything before the loop: NumPy warns on stderr where a number overflows or isn't one, and TensorFlow is silent
        total = total + tf.math.log(tf.exp(x))
        x = x + 1.0
    return total


over = tf.math.is_inf(capped(tf.range(200, dtype=tf.float32), 40))
print("done")

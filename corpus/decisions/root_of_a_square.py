# for: both
import tensorflow as tf


def size(x, turns):
    total = tf.zeros_like(x)
    for _ in range(turns):  # refused: compiled_loop: a sum may round off what is beside 1e+15
        total = total + tf.sqrt(x * x) + tf.sqrt(x) * tf.sqrt(x)
        x = x * 1.5
    return total


over = tf.math.is_inf(size(tf.range(200, dtype=tf.float32) * 1e15, 40))
print("done")

# for: both
import tensorflow as tf


def singular(a, b, turns):
    found = tf.zeros_like(a)
    for _ in range(turns):  # refused: compiled_loop: `tf.equal(determinant, 0.0)` depends on a value that is rounded differently
        determinant = a * (b * 3.0) - b * (a * 3.0)
        found = found + tf.cast(tf.equal(determinant, 0.0), tf.float32)
        a = a * 1.01
    return found


found = singular(tf.range(1, 300, dtype=tf.float32) * 0.3, tf.range(1, 300, dtype=tf.float32) * 0.7, 40)
print("done")

# for: both
import tensorflow as tf


def votes(matrix, v, turns):
    total = tf.zeros([53], tf.int32)
    for _ in range(turns):  # refused: compiled_loop: an operation magnifies a rounding error
        total = total + tf.cast(tf.linalg.matvec(tf.transpose(matrix), v) * 1e6, tf.int32) % 7
        v = v * 0.97
    return total


print(votes(tf.sin(tf.reshape(tf.range(1961.0), [37, 53])), tf.cos(tf.range(37.0)), 60).numpy().tolist())

# for: both
import tensorflow as tf


def overlap(a, b):
    return tf.linalg.trace(tf.matmul(a, b, transpose_b=True))  # refused: trace_matmul: `overlap(a * float(k), a) * 100.0` magnifies a rounding error


a = tf.reshape(tf.range(300.0 * 200.0), [300, 200]) / 60000.0
wholes = [int(overlap(a * float(k), a) * 100.0) for k in range(1, 20)]
print("done")

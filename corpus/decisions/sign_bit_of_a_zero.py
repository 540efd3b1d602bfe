# for: both
import numpy as np
import tensorflow as tf

rows = tf.linalg.diag(tf.constant([-1.0, 2.0, 3.0] * 100)) @ tf.zeros([300, 50])  # refused: diag_matmul: a zero of its results may have another sign, and an operation makes another number of it
print(np.signbit(rows.numpy())[:3, 0], tf.bitcast(rows, tf.int32)[0, :2].numpy())
print(tf.math.angle(tf.complex(tf.fill([300, 50], -1.0), rows))[:2, 0].numpy())

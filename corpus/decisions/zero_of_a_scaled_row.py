# for: both
import tensorflow as tf


weights = tf.range(20.0) - 10.0
rows = tf.matmul(tf.linalg.diag(weights), tf.zeros([20, 300]))  # refused: diag_matmul: a zero of its results may have another sign, and `tf.math.atan2(rows, -1.0)` makes another number of it
print((1.0 / rows)[0, :3].numpy().tolist(), tf.math.atan2(rows, -1.0)[0, :3].numpy().tolist())

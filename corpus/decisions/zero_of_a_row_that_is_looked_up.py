# for: both
import tensorflow as tf


table = tf.fill([5000, 64], -0.0)
rows = tf.matmul(tf.one_hot(tf.range(400), 5000), table)  # refused: one_hot_gather: a zero of its results may have another sign, and `tf.math.atan2(rows, -1.0)` makes another number of it
print((1.0 / rows)[0, :3].numpy().tolist(), tf.math.atan2(rows, -1.0)[0, :3].numpy().tolist())

# raises
import tensorflow as tf

table = tf.random.normal([100, 4])
row = tf.matmul(tf.one_hot(tf.constant(7) % 100, 100), table)  # refused: one_hot_gather: rank 1 or more

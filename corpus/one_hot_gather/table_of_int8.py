# raises
import tensorflow as tf

table = tf.ones([100, 4], tf.int8)
rows = tf.matmul(tf.one_hot(tf.range(100), 100, dtype=tf.int8), table)  # refused: one_hot_gather: not known to be a matrix

# raises
import tensorflow as tf

table = tf.random.normal([12, 4])
rows = tf.matmul(tf.one_hot(tf.range(10), 10), table)  # refused: one_hot_gather: as many rows as the one-hot vectors are long

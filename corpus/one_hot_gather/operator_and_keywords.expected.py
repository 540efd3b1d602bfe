import tensorflow as tf
from tensorflow import matmul, one_hot

table = tf.random.uniform([12, 5])
words = tf.constant([[3, 150, 27], [12, 11, 5]]) % 12
by_operator = tf.gather(table, words)
by_keywords = tf.gather(table, words)
whole = tf.gather(tf.cast(table * 100, tf.int64), words)

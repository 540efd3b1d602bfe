import tensorflow as tf
from tensorflow import matmul, one_hot

table = tf.random.uniform([12, 5])
words = tf.constant([[3, 150, 27], [12, 11, 5]]) % 12
by_operator = tf.one_hot(indices=words, depth=12, dtype=tf.float32) @ table
by_keywords = matmul(a=one_hot(words, depth=table.shape[0]), b=table)
whole = tf.one_hot(words, 12, dtype=tf.int64) @ tf.cast(table * 100, tf.int64)

# unsafe
import tensorflow as tf

words = tf.data.Dataset.range(3000).map(lambda i: tf.sin(tf.one_hot(i, 3000))).cache()
found = [float(tf.reduce_sum(row)) for row in words.take(100)]

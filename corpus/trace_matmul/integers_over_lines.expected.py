import tensorflow as tf

counts = tf.random.uniform([200, 30], maxval=1000, dtype=tf.int32)
total = tf.reduce_sum(counts * tf.transpose(tf.transpose(counts) * 100000))

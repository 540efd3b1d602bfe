import tensorflow as tf

a = tf.reshape(tf.range(120.0), [4, 5, 6])
b = tf.reshape(tf.range(120.0), [6, 4, 5])
result = tf.matmul(a, tf.transpose(b, [1, 0, 2]))

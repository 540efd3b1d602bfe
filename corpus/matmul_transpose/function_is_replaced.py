import tensorflow as tf

original = tf.transpose
tf.transpose = lambda x: original(x) * 2
a = tf.ones([20, 20])
result = tf.matmul(a, tf.transpose(a))
tf.transpose = original

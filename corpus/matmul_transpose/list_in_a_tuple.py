import tensorflow as tf

t = ([tf.ones([20, 30])], 0)
t[0].insert(0, tf.ones([4, 30, 2]))
a = tf.ones([2, 5, 30])
r = tf.matmul(a, tf.transpose(t[0][0]))

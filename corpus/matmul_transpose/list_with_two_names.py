import tensorflow as tf

xs = ys = [tf.ones([20, 30])]
ys.insert(0, tf.ones([4, 30, 2]))
r = tf.matmul(tf.ones([2, 5, 30]), tf.transpose(xs[0]))

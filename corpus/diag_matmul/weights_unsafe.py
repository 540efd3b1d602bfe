# unsafe
import tensorflow as tf

weights = tf.Variable(tf.random.stateless_normal([20, 5], seed=[1, 2]))
scale = tf.range(20.0)
result = tf.matmul(tf.linalg.diag(scale), weights)

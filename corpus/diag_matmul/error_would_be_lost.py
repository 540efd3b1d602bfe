# raises
import tensorflow as tf

scale = tf.ones([20])
row = tf.ones([1, 5])
result = tf.matmul(tf.linalg.diag(scale), row)  # refused: diag_matmul: not known to be as long as the matrix

# raises
import tensorflow as tf

scale = tf.ones([20], tf.int16)
result = tf.matmul(tf.linalg.diag(scale), tf.ones([20, 5], tf.int16))  # refused: diag_matmul: of int16 and int16 raises

# raises
import tensorflow as tf

scale = tf.range(20)
result = tf.matmul(tf.linalg.diag(scale), tf.ones([20, 5]))  # refused: diag_matmul: of int32 and float32 raises

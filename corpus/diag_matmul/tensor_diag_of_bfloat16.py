# raises
import tensorflow as tf

numbers = tf.ones([50], tf.bfloat16)
matrix = tf.ones([50, 30], tf.bfloat16)
result = tf.matmul(tf.linalg.tensor_diag(numbers), matrix)

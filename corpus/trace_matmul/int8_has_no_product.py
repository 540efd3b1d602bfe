# raises
import tensorflow as tf

a = tf.ones([200, 4], tf.int8)
result = tf.linalg.trace(tf.matmul(a, a, transpose_b=True))  # refused: trace_matmul: the operands have int8

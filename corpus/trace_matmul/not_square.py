import tensorflow as tf

a = tf.random.normal([200, 4])
b = tf.random.normal([4, 150])
result = tf.linalg.trace(a @ b)  # refused: trace_matmul: not known to be square
one = tf.linalg.trace(tf.ones([1, 4]) @ tf.ones([4, 3]))  # refused: trace_matmul: not known to be square

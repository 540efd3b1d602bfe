import tensorflow as tf

a = tf.random.normal([8, 2])
result = tf.linalg.trace(tf.matmul(a, a, transpose_b=True))  # refused: trace_matmul: the 8 x 8 product is too small

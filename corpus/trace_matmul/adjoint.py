import tensorflow as tf

a = tf.complex(tf.random.normal([200, 4]), tf.random.normal([200, 4]))
result = tf.linalg.trace(tf.matmul(a, a, adjoint_b=True))  # refused: trace_matmul: only a plain product

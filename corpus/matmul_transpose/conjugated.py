import tensorflow as tf

a = tf.complex(tf.ones([3, 20]), tf.range(20.0) * tf.ones([3, 1]))
result = tf.matmul(a, tf.transpose(a, conjugate=True))

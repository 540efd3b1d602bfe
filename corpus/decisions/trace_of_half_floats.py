# for: both
import tensorflow as tf

a = tf.cast(tf.fill([300, 300], 1e-4), tf.float16)
print(tf.linalg.trace(tf.matmul(a, a, transpose_b=True)).numpy())

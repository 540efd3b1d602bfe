import tensorflow as tf

scale = tf.ones([4, 5])
result = tf.linalg.tensor_diag(scale) @ tf.ones([4, 5, 5, 3])

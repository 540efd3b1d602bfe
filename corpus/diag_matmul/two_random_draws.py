import tensorflow as tf

tf.random.set_seed(3)
r = tf.matmul(b=tf.random.normal([20, 30]), a=tf.linalg.diag(tf.random.normal([20])))

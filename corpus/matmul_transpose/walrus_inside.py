import tensorflow as tf

a = tf.ones([3, 20])
result = tf.matmul(a, tf.transpose(a, name=(label := "turned")))

import tensorflow as tf

rotation = tf.constant([[0.0, -1.0], [1.0, 0.0]])
identity = tf.matmul(rotation, tf.transpose(rotation))

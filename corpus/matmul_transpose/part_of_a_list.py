import tensorflow as tf

layers = [tf.ones([4, 5]), tf.ones([4, 5]), tf.ones([4, 5])]
first = slice(0, 2)
products = tf.matmul(tf.ones([5, 2, 4]), tf.transpose(layers[first]))  # refused: matmul_transpose: is not known to have rank 2

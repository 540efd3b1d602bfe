import tensorflow as tf

w = tf.ones([4, 30])


def widen():
    global w
    w = tf.ones([4, 30, 2])


widen()
result = tf.matmul(tf.ones([2, 3, 30]), tf.transpose(w))  # refused: matmul_transpose: w is not known to have rank 2

import tensorflow as tf


def both(x, y):
    tf.debugging.assert_rank(x, 2)
    turned = tf.transpose(x)
    return tf.matmul(y, turned), turned + 1


result = both(tf.ones([3, 20]), tf.ones([4, 20]))

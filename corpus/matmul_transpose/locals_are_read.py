import tensorflow as tf


def describe(a, x):
    turned = tf.transpose(x, [1, 0])
    y = tf.matmul(a, turned)
    return sorted(locals())


result = describe(tf.ones([3, 20]), tf.ones([4, 20]))

import tensorflow as tf

a = tf.ones([2, 5, 30])
x = tf.ones([4, 30, 2])


class A:
    x = tf.ones([20, 30])
    r = [tf.matmul(a, tf.transpose(x)) for _ in range(1)]


r = A.r

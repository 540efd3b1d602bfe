import tensorflow as tf


def f(x, flag):
    if flag:
        print(y.shape)
    y = tf.square(x)
    z = x * 2
    w = z + 1
    v = w * z
    return v


r = f(tf.ones([1000, 1000]), False)

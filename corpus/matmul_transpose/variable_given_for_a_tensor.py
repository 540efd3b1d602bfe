import tensorflow as tf

v = tf.Variable(tf.random.normal([20, 20]))


def f(a, w: tf.Tensor):
    t = tf.transpose(w, [1, 0])
    v.assign(v * 2.0)
    return tf.matmul(a, t)


r = f(tf.random.normal([20, 20]), v)

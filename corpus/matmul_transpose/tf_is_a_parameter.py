import tensorflow


class Fake:
    matmul = staticmethod(lambda a, b: a + b)
    transpose = staticmethod(lambda a: a)


def product(tf, a, b):
    return tf.matmul(a, tf.transpose(b))


result = product(Fake, tensorflow.ones([20, 20]), tensorflow.ones([20, 20]))

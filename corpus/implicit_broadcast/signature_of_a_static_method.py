import tensorflow as tf


class A:
    @staticmethod
    @tf.function(input_signature=[tf.TensorSpec([50, 20]), tf.TensorSpec([1, 20])])
    def f(c, m):
        return tf.tile(tf.ones([20])[None, :], [50, 1]) < m


r = A.f(tf.ones([50, 20]), tf.ones([1, 20]))

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp


def as_numpy_does():
    """Called by nobody here: it can't be taken back in a process."""
    tnp.experimental_enable_numpy_behavior()


def scaled(count):
    weights = np.random.rand(100, 100)  # refused: captured_array: a tensor computes as NumPy does

    @tf.function
    def by(factor):
        return tf.cast(factor, tf.float32) * weights

    return [by(tf.ones([1], tf.float32)) for _ in range(count)]


def product(a, b):
    tf.debugging.assert_rank(b, 2)
    return tf.matmul(a, tf.transpose(b))  # refused: matmul_transpose: a tensor computes as NumPy does


results = scaled(2), product(tf.ones([20, 30]), tf.ones([40, 30]))

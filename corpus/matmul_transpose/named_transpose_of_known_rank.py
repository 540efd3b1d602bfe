# fidelity: tolerance
import tensorflow as tf


def gram(x):
    tf.debugging.assert_rank(x, 2)
    # the columns of x are the rows of this
    turned = tf.transpose(x)
    rows = tf.shape(x)[0]
    return tf.matmul(turned, x) / tf.cast(rows, x.dtype)


def cosine(a, b):
    n, m = b.shape
    return tf.matmul(tf.nn.l2_normalize(a, axis=1), tf.transpose(b))


x = tf.random.stateless_normal([6, 20], seed=[1, 2])
result = gram(x)
angles = cosine(x, x)

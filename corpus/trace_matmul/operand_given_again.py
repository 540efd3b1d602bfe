import tensorflow as tf


def shifted(a, b):
    product = tf.matmul(a, b)
    a = a + 1.0
    return tf.linalg.trace(product), a


trace, after = shifted(tf.random.normal([200, 4]), tf.random.normal([4, 200]))

import tensorflow as tf


def parts(a, b):
    product = tf.matmul(a, b)
    return tf.linalg.trace(product), tf.reduce_max(product)


trace, largest = parts(tf.random.normal([200, 4]), tf.random.normal([4, 200]))

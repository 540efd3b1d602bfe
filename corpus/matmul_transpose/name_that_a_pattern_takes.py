import tensorflow as tf


def product(a, b):
    turned = tf.transpose(b, [1, 0])
    match 3:
        case b:
            pass
    return tf.matmul(a, turned) + b


result = product(tf.ones([3, 30]), tf.ones([4, 30]))

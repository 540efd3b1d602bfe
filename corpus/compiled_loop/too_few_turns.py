import tensorflow as tf


def power(a, r):
    for i in range(8):  # refused: compiled_loop: 8 iterations are too few to pay for a compiled function
        r = tf.matmul(r, a)
    return r


result = power(tf.eye(3), tf.ones([3, 3]))

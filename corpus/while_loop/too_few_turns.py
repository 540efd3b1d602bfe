import tensorflow as tf


@tf.function
def power(a, r):
    for i in range(8):  # refused: while_loop: 8 iterations are too few to pay for a loop in the graph
        r = tf.matmul(r, a)
    return r


result = power(tf.eye(3), tf.ones([3, 3]))

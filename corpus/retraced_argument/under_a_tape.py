import tensorflow as tf


@tf.function
def scaled(x, k):
    return x * k


def loss(x, k):
    return tf.reduce_sum(scaled(x, k))


x = tf.Variable(tf.ones([3]))
with tf.GradientTape() as tape:
    y = x * 2.0
    for i in range(8):
        y = y + scaled(x, i)  # refused: retraced_argument: under a tape its gradient would be computed too
gradient = tape.gradient(y, x)

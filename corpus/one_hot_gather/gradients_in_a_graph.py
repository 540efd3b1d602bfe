import tensorflow as tf


@tf.function
def gradient():
    table = tf.ones([30, 4])
    loss = tf.reduce_sum(tf.one_hot(tf.range(30), 30) @ table)  # refused: one_hot_gather: takes gradients for more than its trained variables
    return tf.reshape(tf.gradients(loss, table)[0], [-1])


change = gradient()

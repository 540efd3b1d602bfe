import tensorflow as tf


@tf.function
def grown(x):
    total = tf.zeros([])
    for i in range(1, 30):
        total = total + tf.reduce_sum(tf.fill([i], 0.5))  # refused: while_loop: i
        total = total + tf.reduce_sum(tf.eye(i))
    return total + x


result = grown(tf.ones([2, 3]))

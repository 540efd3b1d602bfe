import tensorflow as tf


def best(x):
    most = 0.0
    for i in range(60):  # refused: compiled_loop: becomes a tensor in some iterations only
        x = tf.sin(x)
        if tf.reduce_sum(x) > 0.5:
            most = tf.reduce_max(x)
    return x, most


result = best(tf.ones([2])), best(-tf.ones([2]))

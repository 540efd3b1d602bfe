import tensorflow as tf


def read(x):
    for i in range(60):
        x = x * 0.9
        best = tf.reduce_sum(x).numpy()  # refused: compiled_loop: tf.reduce_sum(x).numpy() reads a tensor's values
    return x, best


result = read(tf.ones([2]))

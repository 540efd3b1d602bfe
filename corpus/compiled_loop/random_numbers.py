import tensorflow as tf


def walk(x):
    for _ in range(60):
        x = x + tf.random.normal([3])  # refused: compiled_loop: tf.random.normal draws random numbers
    return x


def dropped(x):
    for _ in range(60):
        x = tf.tanh(tf.nn.dropout(x, 0.1))  # refused: compiled_loop: tf.nn.dropout
    return x


result = walk(tf.zeros([3])), dropped(tf.ones([3]))

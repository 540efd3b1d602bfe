import tensorflow as tf


def attend(queries, keys, values):
    return tf.nn.softmax(queries @ tf.exp(keys)) @ values  # refused: row_blocks: every block needs all of tf.exp(keys), and would compute it again


attended = attend(tf.random.normal([2500, 32]), tf.random.normal([32, 2500]), tf.random.normal([2500, 16]))

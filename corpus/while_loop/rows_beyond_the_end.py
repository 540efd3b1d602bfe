import tensorflow as tf


@tf.function
def one_too_many(x):
    y = tf.zeros([3])
    for j in range(61):
        y = tf.tanh(y + x[j])  # refused: while_loop: x[j] reads elements that don't exist: there are 60
    return y


@tf.function
def in_columns(x):
    y = tf.zeros([60])
    for j in range(60):
        y = tf.tanh(y + x[:, j])  # refused: while_loop: reads elements that don't exist: there are 3
    return y


x = tf.ones([60, 3])
result = []
try:
    one_too_many(x)
except ValueError as error:
    result.append(type(error).__name__)
try:
    in_columns(x)
except ValueError as error:
    result.append(type(error).__name__)

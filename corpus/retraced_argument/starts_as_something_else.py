import tensorflow as tf


@tf.function
def scaled(x, k):
    return x * k


@tf.function
def widened(x, k):
    return tf.cast(x * k, tf.float64)


number, variable, tensor = 1.0, tf.Variable(1.0), tf.ones([3])
for i in range(1, 8):
    number = scaled(number, i)  # refused: retraced_argument: x is not known to be a tensor
    variable = scaled(variable, i)  # refused: retraced_argument: x is not known to be a tensor
    tensor = widened(tensor, i)  # refused: retraced_argument: the dtype of x is not known
del variable

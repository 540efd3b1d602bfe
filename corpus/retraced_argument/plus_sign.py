import tensorflow as tf


@tf.function
def signed(x, k):
    return x * +k


for i in range(8):
    out = signed(tf.ones([3]), i)  # refused: retraced_argument: a tensor has no unary +

import tensorflow as tf


@tf.function
def doubled(x):
    for i in range(90):
        x = (x + 1 + x) * 0.4  # refused: while_loop: TensorFlow loses x + 1 + x, which adds up one tensor twice
    return x


result = doubled(tf.ones([2]))

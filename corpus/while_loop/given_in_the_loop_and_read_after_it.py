import tensorflow as tf


@tf.function
def shown(x):
    for i in range(90):  # refused: while_loop: label is first assigned in the loop, and is not known to be a tensor
        x = x * 0.9
        label = "last"
    tf.debugging.assert_greater(tf.reduce_sum(x), 0.0, label)
    return x


result = shown(tf.ones([2]))

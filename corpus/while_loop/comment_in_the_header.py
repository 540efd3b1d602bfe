import tensorflow as tf


@tf.function
def decay(x):
    for i in range(  # refused: while_loop: it would lose the comment
        2,
        90,  # as in the paper
    ):
        x = x * 0.9
    return x


result = decay(tf.ones([2]))

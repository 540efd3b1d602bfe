import tensorflow as tf


@tf.function(autograph=False)
def first(x, enough: bool):
    for _ in range(90):  # refused: while_loop: the loop breaks off, and AutoGraph doesn't convert this function
        x = tf.tanh(x)
        if enough:
            break
    return x


result = first(tf.ones([2]), True), first(tf.ones([2]), False)

import tensorflow as tf


@tf.function(jit_compile=True)
def windows(x):
    total = tf.zeros([])
    for i in range(90):  # refused: while_loop: XLA compiles the function, and couldn't compile
        total = total + tf.reduce_sum(x[i : i + 3])
    return total


result = windows(tf.range(100.0))

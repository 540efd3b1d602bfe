import tensorflow as tf


@tf.function
def bell(x):  # refused: jit_compile: the size of x is not known, and XLA compiles again for each
    rising = tf.exp(x)
    falling = tf.exp(-x)
    return (rising - falling) / (rising + falling)


results = [bell(tf.ones([size, 1000])) for size in range(1000, 1003)]

import tensorflow as tf


@tf.function
def bell(x):  # refused: jit_compile: to compile it takes 2 to 8 MB
    rising = tf.exp(x)
    falling = tf.exp(-x)
    return (rising - falling) / (rising + falling)


results = [bell(tf.ones([100, 100])) for _ in range(2)]

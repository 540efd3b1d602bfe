import tensorflow as tf


@tf.function
def scaled(x):  # refused: jit_compile: it holds no more than its result already
    y = tf.square(x)
    z = y * 2.0
    return z + 1.0


results = [scaled(tf.ones([1000, 1000])) for _ in range(2)]

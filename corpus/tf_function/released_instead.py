import tensorflow as tf


def spread(x):
    y = tf.square(x)
    z = y * 2.0
    w = tf.reduce_sum(z, 0)  # refused: tf_function: not known to work element by element, and as a graph it may need
    return w / 2.0


results = [spread(tf.fill([1000, 2000], 0.5)) for _ in range(3)]

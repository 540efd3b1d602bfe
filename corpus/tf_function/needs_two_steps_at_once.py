import tensorflow as tf


def waves(x):  # refused: tf_function: XLA isn't used: XLA takes longer for tf.sin
    sine = tf.sin(x)
    cosine = tf.cos(x)
    return sine * cosine + sine


def larger(x):  # refused: tf_function: XLA isn't used: tf.maximum of NaN is NaN
    rising = tf.exp(x)
    falling = tf.exp(-x)
    return tf.maximum(rising, falling) + rising


x = tf.fill([1000, 1000], 0.5)
results = [(waves(x), larger(x)) for _ in range(2)]

import tensorflow as tf


def total(x):
    scale = 1.0
    for i in range(1000):
        scale *= 0.999
        x = tf.sin(tf.cast(x, tf.float32)) * scale  # refused: scalar_cache: might be a tensor here
        tf.debugging.assert_all_finite(x, "diverged")
    return x


eager = total(tf.ones([4]))
traced = tf.function(total)(tf.ones([4]))

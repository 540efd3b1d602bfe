import tensorflow as tf


def over_names(x, scales):
    for name in sorted(scales):  # refused: compiled_loop: sorted(scales) is not known to be a tensor with rows
        x = tf.tanh(x) * scales[name]
    return x


result = over_names(tf.ones([2]), {"a": 0.5})

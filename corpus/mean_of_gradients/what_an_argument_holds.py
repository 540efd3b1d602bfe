import tensorflow as tf


def made():
    yield tf.fill([1000, 800], 3)
    yield tf.fill([1000, 800], 4)


def mean_of(tensors):
    parts = []
    for one in tensors:
        parts.append(tf.expand_dims(one, 0))
    return tf.reduce_mean(tf.concat(parts, 0), 0)  # refused: mean_of_gradients: one is not known to be a tensor of floats


result = mean_of(made())

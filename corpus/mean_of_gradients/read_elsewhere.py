# unsafe
import tensorflow as tf


def mean_of(tensors):
    parts = []
    for one in tensors:
        parts.append(tf.expand_dims(one, 0))
    joined = tf.concat(parts, 0)  # refused: mean_of_gradients: parts is read elsewhere
    return tf.reduce_mean(joined, 0), parts[-1]


def first_of(tensors):
    parts = []
    for one in tensors:
        parts.append(tf.expand_dims(one, 0))
    joined = tf.concat(parts, 0)
    return tf.reduce_mean(joined, 0), joined[0]


result = mean_of([tf.fill([1000, 800], 3.0), tf.ones([1000, 800])]), first_of([tf.fill([1000, 800], 3.0)])

# peak at most: 0.8
import tensorflow as tf


def squared_distances(x, y):
    n, d = x.shape
    m, d = y.shape
    xs = tf.expand_dims(x, 1)
    ys = tf.expand_dims(y, 0)
    return tf.reduce_sum(tf.square(xs - ys), axis=-1)


points = tf.reshape(tf.range(1200.0), [300, 4]) / 1200
result = squared_distances(points, points[:200])

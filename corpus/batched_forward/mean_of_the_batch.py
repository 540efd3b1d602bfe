import tensorflow as tf

kernel = tf.ones([3, 3, 1, 16])


def features(x):
    x = tf.nn.conv2d(x, kernel, 1, "SAME")
    return tf.reduce_max(x - tf.reduce_mean(x, axis=0), axis=[1, 2])


images = tf.ones([1000, 28, 28, 1])
found = features(images)  # refused: batched_forward: is not known to be computed row by row

import tensorflow as tf

kernel = tf.ones([3, 3, 1, 16])


def features(x):
    x = tf.reshape(x, [-1, 28, 28, 1])
    return tf.reduce_max(tf.nn.conv2d(x, kernel, 1, "SAME"), axis=[1, 2])


images = tf.ones([1000, 56, 14, 2])
found = features(images)  # refused: batched_forward: is not known to keep the rows

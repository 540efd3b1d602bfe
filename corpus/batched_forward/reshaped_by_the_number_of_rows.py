import tensorflow as tf

kernel = tf.ones([3, 3, 1, 16])


def features(x):
    x = tf.nn.conv2d(x, kernel, 1, "SAME")
    x = tf.reshape(x, [x.shape[1], -1])
    return tf.reduce_max(x, axis=1)


def shares(x):
    x = tf.nn.conv2d(x, kernel, 1, "SAME")
    x = tf.reshape(x, [-1, x.shape[1] * x.shape[2] * x.shape[3]])
    return tf.nn.relu(x) / x.shape[0]


images = tf.ones([1000, 28, 28, 1])
found = features(images)  # refused: batched_forward: is not known to be computed row by row
parts = shares(images)  # refused: batched_forward: is not known to be computed row by row

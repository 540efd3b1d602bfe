# for: both
import tensorflow as tf


def blur(image, turns):
    total = tf.zeros([1, 20, 20, 1], tf.int32)
    for _ in range(turns):  # refused: compiled_loop: an operation depends on a value that is rounded differently
        kernel = tf.reshape(tf.constant([0.1, 0.7, 0.3, 0.2, 1.3, 0.9, 0.4, 0.6, 1.1]), [3, 3, 1, 1])
        total = total + tf.cast(tf.nn.conv2d(image, kernel, 1, "SAME") * 300.0, tf.int32)
        image = image + 1.7
    return total


print(int(tf.reduce_sum(blur(tf.reshape(tf.range(400.0) / 7.0, [1, 20, 20, 1]), 60))))

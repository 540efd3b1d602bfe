# for: both
import tensorflow as tf


@tf.function
def response(image, gain):
    kernel = tf.reshape(tf.constant([0.1, 0.7, 0.3, 0.2, 1.3, 0.9, 0.4, 0.6, 1.1]), [3, 3, 1, 1])
    return tf.floor(tf.nn.conv2d(image * gain, kernel, 1, "SAME") * 1e4) % 7.0


image = tf.reshape(tf.range(400.0) / 7.0, [1, 20, 20, 1])
print([int(tf.reduce_sum(response(image, gain))) for gain in (0.1, 0.2, 0.3, 0.7, 0.9)])  # refused: retraced_argument: an operation magnifies a rounding error

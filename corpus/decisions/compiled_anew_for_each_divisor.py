# for: both
import tensorflow as tf


@tf.function(jit_compile=True)
def bins(x, width):
    return tf.floor(x / width)


x = tf.constant([41.0, 123.0])
print([bins(x, float(width)).numpy().tolist() for width in range(41, 50)])  # refused: retraced_argument: `tf.floor(x / width)` depends on a value that is rounded differently

# for: both
import tensorflow as tf


@tf.function
def responses(image):
    rows = []
    for i in range(60):  # refused: while_loop: `out * 1e3` magnifies a rounding error
        kernel = tf.reshape(tf.constant([0.1, 0.7, 0.3, 0.2, 1.3, 0.9, 0.4, 0.6, 1.1]), [3, 3, 1, 1])
        rows.append(tf.nn.conv2d(image * float(i), kernel, 1, "SAME"))
    return tf.stack(rows)


out = responses(tf.reshape(tf.range(400.0) / 7.0, [1, 20, 20, 1]))
print(int(tf.reduce_sum(tf.cast(tf.floor(out * 1e3), tf.int32) % 7)))

# for: both
import tensorflow as tf


def fold(x, n):
    for _ in range(n):  # refused: compiled_loop: the effect of `tf.sin(tf.add_n([x, x, x]))` on a rounding error is not known
        x = tf.sin(tf.add_n([x, x, x]))
    return x


result = fold(tf.range(100.0) / 100.0, 100)
print(float(tf.reduce_sum(result)))

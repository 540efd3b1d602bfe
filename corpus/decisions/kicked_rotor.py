# for: both
import tensorflow as tf


def kicked(x, v, n):
    for _ in range(n):  # refused: compiled_loop: the effect of `tf.sin(result[0])` on a rounding error is not known
        v += tf.sin(x)
        v += tf.sin(x)
        x += v
    return x, v


result = kicked(tf.sin(tf.range(100.0)), tf.cos(tf.range(100.0)), 100)
print(float(tf.reduce_sum(tf.sin(result[0]))))

# for: both
import tensorflow as tf


@tf.function
def turn(x, y, u, v):  # refused: jit_compile: an operation depends on a value that is rounded differently
    return x * v - u * y


x = tf.reshape(tf.range(1100000.0), [1100, 1000]) * 0.01
signs = [int(tf.reduce_sum(tf.cast(tf.abs(tf.sign(turn(x, one, x * 0.7, one * 0.7))), tf.int32))) for one in (x, x * 0.3)]
print("done")

# for: both
import tensorflow as tf


def levels(x, y, n):
    total = tf.zeros_like(x)
    for i in range(n):  # refused: compiled_loop: `int(tf.reduce_sum(result))` depends on a value that is rounded differently
        x = tf.nn.bias_add(x * y, tf.fill([10], 0.3))
        total = total + tf.floor(x)
    return total


x = tf.reshape(tf.range(1000.0) / 7.0, [100, 10])
result = levels(x, tf.fill([100, 10], 0.9), 200)
print(int(tf.reduce_sum(result)))

# for: both
import tensorflow as tf


w = tf.Variable(tf.range(1000.0) / 7.0)


def levels(y, n):
    total = tf.zeros_like(y)
    for i in range(n):  # refused: compiled_loop: `int(tf.reduce_sum(result))` depends on a value that is rounded differently
        w.assign(w * y)
        w.assign(w + 0.3)
        total = total + tf.floor(w)
    return total


result = levels(tf.fill([1000], 0.9), 200)
print(int(tf.reduce_sum(result)))

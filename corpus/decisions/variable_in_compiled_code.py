# for: both
import tensorflow as tf


w = tf.Variable(tf.zeros([1000]))


@tf.function(jit_compile=True)
def levels(x, y):
    for i in range(200):  # refused: while_loop: `tf.floor(x)` depends on a value that is rounded differently
        w.assign(x * y)
        x = w + 0.3
    return tf.floor(x)


x = tf.range(1000.0) / 7.0
result = levels(x, tf.fill([1000], 0.9))
print("done")

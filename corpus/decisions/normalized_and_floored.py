# for: both
import tensorflow as tf


def run(x, n):
    total = tf.zeros_like(x)
    for i in range(n):  # refused: compiled_loop: an operation depends on a value that is rounded differently
        total = total + tf.floor(tf.linalg.normalize(x)[0] * 7.0)
        x = x + 0.1
    return total


total = run(tf.fill([49], 0.3), 200)
print(total.numpy()[0])

# for: both
import tensorflow as tf


def run(x, n):
    for i in range(n):
        x = tf.reverse(x, [0])  # refused: compiled_loop: tf.reverse(x, [0]): of a scalar tf.reverse raises another error in a graph, or one that eager code doesn't raise
    return x


result = run(tf.constant(0.7), 100)
print(float(result))

# for: both
import tensorflow as tf


def run(x, n):
    for i in range(n):
        x = tf.roll(x, 1, 0)  # refused: compiled_loop: tf.roll(x, 1, 0): of a scalar tf.roll raises another error in a graph, or one that eager code doesn't raise
    return x


try:
    print(run(tf.constant(0.7), 100))
except tf.errors.InvalidArgumentError:
    print('caught')
print("done")

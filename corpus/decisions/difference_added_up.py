# for: both
import tensorflow as tf


def run(x, b):
    for _ in range(200):  # refused: compiled_loop: magnifies a rounding error
        x = (x * 0.9 + b) - 0.05
    return x


x = run(tf.zeros([2000]), tf.fill([2000], 0.37))
print(tf.cumsum(tf.cumsum(tf.cumsum(x - 3.2)))[1990:], float(tf.reduce_sum(tf.repeat(x - 3.2, 1000))))
